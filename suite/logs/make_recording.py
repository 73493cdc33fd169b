"""Writes planar2r.mcap: the first seconds of planar2r.csv as a bag of ROS 2 has them.

A witness for the reader of recordings that knows nothing of it: the messages are laid out by the Python packages `mcap` and
`mcap-ros2-support`. Joints stand in another order than in the robot, a gripper is among them, and a second topic has joint states as well.

    pip install mcap mcap-ros2-support
    python suite/logs/make_recording.py
"""

import csv
from pathlib import Path

from mcap.writer import CompressionType
from mcap_ros2.writer import Writer

ROWS = 600
BEGIN = 1_700_000_000_000_000_000
HERE = Path(__file__).parent

JOINT_STATE = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""


def message(t_ns: int, names: list[str], **lists: list[float]) -> dict:
    stamp = {"sec": t_ns // 10**9, "nanosec": t_ns % 10**9}
    return {"header": {"stamp": stamp, "frame_id": "base"}, "name": names, "velocity": [], **lists}


def main() -> None:
    with (HERE / "planar2r.csv").open() as file:
        lines = (line for line in file if not line.startswith("#"))
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)][:ROWS]
    with (HERE / "planar2r.mcap").open("wb") as file:
        writer = Writer(file, chunk_size=16384, compression=CompressionType.ZSTD)
        schema = writer.register_msgdef("sensor_msgs/msg/JointState", JOINT_STATE)
        for row in rows:
            t_ns = BEGIN + round(row["t"] * 1e9)
            arm = message(
                t_ns,
                ["finger", "link2", "link1"],
                position=[0.01, row["q_link2"], row["q_link1"]],
                effort=[0.5, row["tau_link2"], row["tau_link1"]],
            )
            writer.write_message("/joint_states", schema, arm, log_time=t_ns + 300_000, publish_time=t_ns)
            other = message(t_ns, ["wheel"], position=[row["t"]], effort=[0.0])
            writer.write_message("/wheels", schema, other, log_time=t_ns + 400_000, publish_time=t_ns)
        writer.finish()


if __name__ == "__main__":
    main()
