"""Operations as functions of the package. Made by ``generate.py`` from the schemas of the operations: do not edit."""

from __future__ import annotations

from typing import Literal

from ._load import Subject, robot_of
from ._motion import Evaluation
from ._parameters import Excitation, Identification
from ._report import Listing, Report
from ._texts import Conversion
from ._request import carry_out
from ._types import Data, Name, Numbers, Progress, Words


def robots(kind: Literal["arm", "legged", "humanoid", "test"] | None = None) -> Listing:
    """List the built-in robots.

    Parameters
    ----------
    kind : Robots of this kind only
    """
    return Listing._of(carry_out("robots", {"kind": kind}, False), None, {})


def arms() -> Listing:
    """List the built-in flexible arms."""
    return Listing._of(carry_out("arms", {}, False), None, {})


def quantities() -> Listing:
    """List the quantities that can be evaluated."""
    return Listing._of(carry_out("quantities", {}, False), None, {})


def schema(operation: Data | None = None) -> Report:
    """Print the JSON schemas of an operation's request and report, or list the operations.

    Parameters
    ----------
    operation : Operation, such as eval or "flexible modes"; without it all of them are listed
    """
    return Report._of(carry_out("schema", {"operation": operation}, False), None, {})


def identify(
    robot: Subject,
    data: Data | None = None,
    *,
    validate: Data | None = None,
    rate: float | None = None,
    cutoff: float | None = None,
    decimate: int | None = None,
    friction: Literal["both", "viscous", "coulomb", "none"] | None = None,
    armature: bool | None = None,
    shard: str | None = None,
    factors: Name | None = None,
    merge: Data | None = None,
    out: Name | None = None,
    plot: Name | None = None,
    plot_size: Literal["column", "page", "screen"] | None = None,
    theme: Literal["light", "dark"] | None = None,
    transparent: bool | None = None,
    report: Name | None = None,
    snap: float | None = None,
    progress: Progress = True,
) -> Identification:
    """Identify base parameters and friction from a log.

    Parameters
    ----------
    robot : The robot, or its name or file
    data : Log to identify from; several are taken together; - for standard input
    validate : Log to check the estimates on
    rate : Samples per second, for logs without time
    cutoff : Cut-off of the low-pass; given, logs with all derivatives are filtered too
    decimate : Use every N-th sample
    friction : Friction to identify; the rest is as in the robot file (default both)
    armature : Identify rotor inertias too; without it they are as in the robot file
    shard : Take only part I of K of the log
    factors : Write what is kept of the data, for `merge`
    merge : Take in what `factors` wrote
    out : Write the robot with the estimates, in the format that the name ends in
    plot : Draw measured and predicted torques, of the validation log if there is one
    plot_size : Width of the plot (default page)
    theme : Colours of the plot (default light)
    transparent : Leave the ground of the plot out, so that a page shines through
    report : Write the report
    snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
        (default 1e-05)
    """
    return robot_of(robot).identify(
        data,
        validate=validate,
        rate=rate,
        cutoff=cutoff,
        decimate=decimate,
        friction=friction,
        armature=armature,
        shard=shard,
        factors=factors,
        merge=merge,
        out=out,
        plot=plot,
        plot_size=plot_size,
        theme=theme,
        transparent=transparent,
        report=report,
        snap=snap,
        progress=progress,
    )


def excite(
    robot: Subject,
    *,
    harmonics: int | None = None,
    period: float | None = None,
    acceleration: float | None = None,
    share: float | None = None,
    starts: int | None = None,
    steps: int | None = None,
    seed: int | None = None,
    friction: Literal["both", "viscous", "coulomb", "none"] | None = None,
    armature: bool | None = None,
    trajectory: Data | None = None,
    out: Name | None = None,
    rate: float | None = None,
    plot: Name | None = None,
    plot_size: Literal["column", "page", "screen"] | None = None,
    theme: Literal["light", "dark"] | None = None,
    transparent: bool | None = None,
    snap: float | None = None,
    progress: Progress = True,
) -> Excitation:
    """Find a motion that shows the base parameters well.

    Parameters
    ----------
    robot : The robot, or its name or file
    harmonics : Waves of each joint (default 5)
    period : Period, s (default 10.0)
    acceleration : Highest acceleration of every joint, rad/s² or m/s²
    share : Share of the limits to use (default 0.95)
    starts : Random motions to start from (default 8)
    steps : Steps from each start (default 400)
    seed : Where random numbers begin (default 1)
    friction : Friction to identify; the rest is as in the robot file (default both)
    armature : Identify rotor inertias too; without it they are as in the robot file
    trajectory : Write the coefficients as a trajectory
    out : Write samples of one period as CSV or, by the ending of the name, Parquet
    rate : Samples per second of the file (default 100.0)
    plot : Draw positions, velocities and accelerations
    plot_size : Width of the plot (default page)
    theme : Colours of the plot (default light)
    transparent : Leave the ground of the plot out, so that a page shines through
    snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
        (default 1e-05)
    """
    return robot_of(robot).excite(
        harmonics=harmonics,
        period=period,
        acceleration=acceleration,
        share=share,
        starts=starts,
        steps=steps,
        seed=seed,
        friction=friction,
        armature=armature,
        trajectory=trajectory,
        out=out,
        rate=rate,
        plot=plot,
        plot_size=plot_size,
        theme=theme,
        transparent=transparent,
        snap=snap,
        progress=progress,
    )


def trajectory(
    robot: Subject,
    trajectory: Data,
    quantity: Words,
    *,
    samples: int | None = None,
    times: Numbers | None = None,
    smoothing: float | None = None,
    method: Literal["recursive", "closed"] | None = None,
    out: Name | None = None,
    plot: Name | None = None,
    plot_size: Literal["column", "page", "screen"] | None = None,
    theme: Literal["light", "dark"] | None = None,
    transparent: bool | None = None,
    animate: Name | None = None,
    frame_rate: int | None = None,
    frame_width: int | None = None,
    playback_speed: float | None = None,
    progress: Progress = True,
) -> Evaluation:
    """Evaluate quantities along a trajectory.

    Parameters
    ----------
    robot : The robot, or its name or file
    trajectory : JSON file, CSV file of samples, the JSON itself, or a built-in name
    quantity : Quantities, separated by commas; `name:LINK` for those of a link
    samples : Number of times, begin and end included (default 101)
    times : Times instead of evenly spaced ones, separated by commas, s
    smoothing : Standard deviation of the Gaussian that smooths samples, s
    method : Which formulas to use (default recursive)
    out : Write the numbers as CSV or, by the ending of the name, Parquet
    plot : Draw the quantities
    plot_size : Width of the plot (default page)
    theme : Colours of the plot (default light)
    transparent : Leave the ground of the plot out, so that a page shines through
    animate : Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
    frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
    frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
    playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that would
        be too short or too long
    """
    return robot_of(robot).trajectory(
        trajectory,
        quantity,
        samples=samples,
        times=times,
        smoothing=smoothing,
        method=method,
        out=out,
        plot=plot,
        plot_size=plot_size,
        theme=theme,
        transparent=transparent,
        animate=animate,
        frame_rate=frame_rate,
        frame_width=frame_width,
        playback_speed=playback_speed,
        progress=progress,
    )


def convert(
    robot: Subject,
    to: str | None = None,
    *,
    out: Name | None = None,
    dh: Literal["standard", "modified"] | None = None,
    tolerance: float | None = None,
    link: str | None = None,
    progress: Progress = True,
) -> Conversion:
    """Write a robot in another format.

    Parameters
    ----------
    robot : The robot, or its name or file
    to : Format [default: that of the ending of `out`]
    out : Write to a file
    dh : Convention of a Denavit-Hartenberg table [default: standard]
    tolerance : How far a Denavit-Hartenberg table may be from the robot, m and rad [default: 1e-9]
    link : Link that a screw list leads to [default: the end of the longest chain]
    """
    return robot_of(robot).convert(
        to,
        out=out,
        dh=dh,
        tolerance=tolerance,
        link=link,
        progress=progress,
    )
