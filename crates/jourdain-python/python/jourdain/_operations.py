"""Every operation as a method. Made by ``generate.py`` from the schemas of the operations: do not edit."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

from ._animation import Animation
from ._formula import Formula
from ._motion import Evaluation, Motion, MotorMotion
from ._parameters import BaseParameters, Excitation, Identification
from ._reach import Path, Solution
from ._report import Info, R, Report
from ._systems import Linearisation, Modes, Robustness, Timings
from ._texts import Conversion
from ._types import Data, Law, Name, Numbers, Progress, Words


class RobotOperations:
    """What can be asked beside quantities."""

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        raise NotImplementedError

    def info(
        self,
        *,
        snap: float | None = None,
        progress: Progress = True,
    ) -> Info:
        """Show a robot: its tree of links, joints, masses and totals.

        Parameters
        ----------
        snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
            (default 1e-05)

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.info().total_mass
        3.5
        """
        fields = {
            "snap": snap,
        }
        return self._carry_out(Info, "info", fields, progress)

    def scene(
        self,
        *,
        progress: Progress = True,
    ) -> Report:
        """Show what is needed to draw a robot: frames, axes, limits, masses, limbs and size."""
        fields: dict[str, Any] = {}
        return self._carry_out(Report, "scene", fields, progress)

    def eval(
        self,
        state: Data,
        quantity: Words,
        *,
        input_format: Literal["json", "jsonl", "csv", "parquet"] | None = None,
        method: Literal["recursive", "closed"] | None = None,
        format: Literal["json", "csv", "parquet"] | None = None,
        out: Name | None = None,
        snap: float | None = None,
        progress: Progress = True,
    ) -> Evaluation:
        """Evaluate quantities of a robot at one state or many.

        Parameters
        ----------
        state : File of states (.json, .jsonl, .ndjson, .csv, .parquet), - for standard input, the JSON itself, or the
            name of one of the robot's states
        quantity : Quantities, separated by commas; `name:LINK` for those of a link
        input_format : What the states are written in, if the name does not say; standard input is JSON
        method : Which formulas to use (default recursive)
        format : What to write; without it, text to read
        out : File to write, which has its name only once it is complete
        snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
            (default 1e-05)

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.eval([0.3, -0.2], "gravity").arrays["gravity"].round(3).tolist()
        [22.25, 5.855]
        """
        fields = {
            "state": state,
            "quantity": quantity,
            "input_format": input_format,
            "method": method,
            "format": format,
            "out": out,
            "snap": snap,
        }
        return self._carry_out(Evaluation, "eval", fields, progress)

    def derive(
        self,
        quantity: Words,
        target: Literal["rust", "c", "python", "matlab", "latex", "text"] = "latex",
        *,
        parameters: Literal["numeric", "symbolic", "base"] | None = None,
        simplify: int | None = None,
        wrenches: str | None = None,
        together: str | None = None,
        out: Name | None = None,
        force: bool | None = None,
        snap: float | None = None,
        progress: Progress = True,
    ) -> Formula:
        """Derive quantities of a robot as source code or equations.

        Parameters
        ----------
        quantity : Quantities, separated by commas; `name:LINK` for those of a link
        target : Language
        parameters : What the masses, lengths and inertias of the robot are in the result (default numeric)
        simplify : How much to simplify: 0 not at all, 1 common factors and formulas of small robots, 2 sums of angles
            and all formulas (default 1)
        wrenches : Links whose wrenches the code takes, separated by commas [default: none; for external forces all]
        together : One function of this name for all quantities, which share what they have in common
        out : Folder for the files
        force : Overwrite files that were not generated
        snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
            (default 1e-05)

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> print(robot.derive("gravity").latex.splitlines()[2])
        g_{2} ={}& 5.88399 \\, \\cos\\left(q_{1} + q_{2}\\right)
        """
        fields = {
            "quantity": quantity,
            "target": target,
            "parameters": parameters,
            "simplify": simplify,
            "wrenches": wrenches,
            "together": together,
            "out": out,
            "force": force,
            "snap": snap,
        }
        return self._carry_out(Formula, "derive", fields, progress)

    def base_parameters(
        self,
        *,
        symbolic: bool | None = None,
        latex: bool | None = None,
        snap: float | None = None,
        progress: Progress = True,
    ) -> BaseParameters:
        """Show the base parameters of a robot: kept, regrouped into what, without effect.

        Parameters
        ----------
        symbolic : Coefficients as formulas in the lengths: D3, R4
        latex : Print the relations as LaTeX
        snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
            (default 1e-05)

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.base_parameters().names
        ['mXR1', 'mY1', 'ZZR1', 'mX2', 'mY2', 'ZZ2']
        """
        fields = {
            "symbolic": symbolic,
            "latex": latex,
            "snap": snap,
        }
        return self._carry_out(BaseParameters, "base-parameters", fields, progress)

    def identify(
        self,
        data: Data | None = None,
        *,
        validate: Data | None = None,
        rate: float | None = None,
        cutoff: float | None = None,
        decimate: int | None = None,
        topic: Data | None = None,
        threads: int | None = None,
        friction: Literal["both", "viscous", "coulomb", "none"] | None = None,
        armature: bool | None = None,
        outliers: Literal["drop", "keep"] | None = None,
        base: Literal["free", "held"] | None = None,
        payload_link: Data | None = None,
        loaded: Data | None = None,
        with_: Data | None = None,
        at_rest: bool | None = None,
        poses: int | None = None,
        gains: bool | None = None,
        payload_mass: float | None = None,
        robot_mass: float | None = None,
        elastic: bool | None = None,
        offset: bool | None = None,
        coupling: Data | None = None,
        delay: Data | None = None,
        column_delay: Data | None = None,
        fit: Literal["consistent", "base"] | None = None,
        prior_weight: Data | None = None,
        total_mass: float | None = None,
        bounds: Data | None = None,
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
        data : Log to identify from; several are taken together; - for standard input
        validate : Log to check the estimates on
        rate : Samples per second, for logs without time
        cutoff : Cut-off of the smoothing; given, logs with all derivatives are smoothed too
        decimate : Use every N-th sample
        topic : Topic of the joint states, for recordings that have several
        threads : Threads to work on; as many as there are processors if it is not given. The result is the same
        friction : Friction to identify; the rest is as in the robot file (default both)
        armature : Identify rotor inertias too; without it they are as in the robot file
        outliers : What becomes of torques that the estimate shows to be faults: more than five standard deviations
            away (default drop)
        base : What holds a free base whose torques are not in the log; without it, the wrenches of the log, if there
            are any
        payload_link : The link whose load is found: the same as `payload` LINK without a mass
        loaded : Log with the load, where `data` is without it: then the robot need not be known
        with_ : Robot file with what is known, instead of ROBOT: one that identify wrote, say
        at_rest : Every line of the logs is a pose at rest: mass and centre of mass are found
        poses : Find N poses at which rest shows the load best; needs no log
        gains : The torque columns are motor currents: find what each has to be multiplied by
        payload_mass : Mass of the load at `payload` LINK, which sets the scale of the gains
        robot_mass : Mass of the robot, all links together, which sets the scale; the links are as in the robot file,
            scaled to it
        elastic : Find springs and rotors of the joints whose motors have a position of their own in the log: columns
            theta1, theta2, ...
        offset : Identify a torque offset of every joint among the base parameters too
        coupling : Matrix from motor to joint velocities, where motors turn with several joints
        delay : Seconds by which the motion that torques belong to is later: `auto` finds it
        column_delay : Seconds by which a column of positions or torques is late, its values belonging to times before
            their stamps; once per column
        fit : Which estimate to write and to judge beside the base parameters (default consistent)
        prior_weight : Weight of the robot file in the consistent estimate, in units of log-likelihood; `auto` is the
            one with which parts of the log tell the others best
        total_mass : Mass of all links that move, kg; it is kept to within a hundredth
        bounds : Limits of links: {"link": {"mass": [least, largest], "com": [[x, x], [y, y], [z, z]]}}, kg and m in
            the link frame
        shard : Take only part I of K of the log
        factors : Write what is kept of the data, for `merge`
        merge : Take in what `factors` wrote
        out : Write the robot with the estimates, in the format that the name ends in
        plot : Draw measured and predicted torques, of the validation log if there is one
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        report : Write the report: as words or, with figures, as a page
        snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
            (default 1e-05)
        """
        fields = {
            "data": data,
            "validate": validate,
            "rate": rate,
            "cutoff": cutoff,
            "decimate": decimate,
            "topic": topic,
            "threads": threads,
            "friction": friction,
            "armature": armature,
            "outliers": outliers,
            "base": base,
            "payload_link": payload_link,
            "loaded": loaded,
            "with": with_,
            "at_rest": at_rest,
            "poses": poses,
            "gains": gains,
            "payload_mass": payload_mass,
            "robot_mass": robot_mass,
            "elastic": elastic,
            "offset": offset,
            "coupling": coupling,
            "delay": delay,
            "column_delay": column_delay,
            "fit": fit,
            "prior_weight": prior_weight,
            "total_mass": total_mass,
            "bounds": bounds,
            "shard": shard,
            "factors": factors,
            "merge": merge,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "report": report,
            "snap": snap,
        }
        return self._carry_out(Identification, "identify", fields, progress)

    def excite(
        self,
        *,
        harmonics: int | None = None,
        period: float | None = None,
        acceleration: float | None = None,
        jerk: float | None = None,
        effort_share: float | None = None,
        share: float | None = None,
        ground: float | None = None,
        clearance: float | None = None,
        radius: float | None = None,
        may_touch: Data | None = None,
        no_collisions: bool | None = None,
        criterion: Literal["condition", "d-optimal", "deviation"] | None = None,
        parameters: Data | None = None,
        noise: float | None = None,
        from_: Data | None = None,
        starts: int | None = None,
        steps: int | None = None,
        seed: int | None = None,
        friction: Literal["both", "viscous", "coulomb", "none"] | None = None,
        armature: bool | None = None,
        trajectory: Data | None = None,
        spline: Data | None = None,
        degree: Literal["cubic", "quintic"] | None = None,
        knot_rate: float | None = None,
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
        harmonics : Waves of each joint (default 5)
        period : Period, s (default 10.0)
        acceleration : Highest acceleration, rad/s² or m/s²: one for all joints, or one for each
        jerk : Highest jerk, rad/s³ or m/s³: one for all joints, or one for each
        effort_share : Share of the effort limits that torques may reach, by the model of the robot file (default 0.8)
        share : Share of the limits of motion to use (default 0.95)
        ground : Height of the ground above the origin, m; links keep clear of it
        clearance : Least distance to the ground and between links, m (default 0.01)
        radius : Radius of links without shapes, m: they are taken for rods from joint to joint
        may_touch : Two links that may touch
        no_collisions : Do not look at distances between links
        criterion : What is made small; `deviation` if `parameters` are given, else `condition`
        parameters : Parameters whose expected deviation counts, such as ZZR1
        noise : Noise of the torques for expected deviations, as a share of the effort limits (default 0.01)
        from_ : Motion to start from, in place of random ones
        starts : Starts of the search (default 8)
        steps : Steps from each start (default 400)
        seed : Where random numbers begin (default 1)
        friction : Friction to identify; the rest is as in the robot file (default both)
        armature : Identify rotor inertias too; without it they are as in the robot file
        trajectory : Write the coefficients as a trajectory
        spline : Write knots of splines: JSON, or a ROS joint trajectory in YAML
        degree : Degree of the splines: cubic ones have no accelerations (default quintic)
        knot_rate : Knots per second (default 20.0)
        out : Write samples of one period as CSV or, by the ending of the name, Parquet
        rate : Samples per second of the file (default 100.0)
        plot : Draw positions, velocities, accelerations and torques
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        snap : Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
            (default 1e-05)

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.excite(starts=1, steps=20).count
        10
        """
        fields = {
            "harmonics": harmonics,
            "period": period,
            "acceleration": acceleration,
            "jerk": jerk,
            "effort_share": effort_share,
            "share": share,
            "ground": ground,
            "clearance": clearance,
            "radius": radius,
            "may_touch": may_touch,
            "no_collisions": no_collisions,
            "criterion": criterion,
            "parameters": parameters,
            "noise": noise,
            "from": from_,
            "starts": starts,
            "steps": steps,
            "seed": seed,
            "friction": friction,
            "armature": armature,
            "trajectory": trajectory,
            "spline": spline,
            "degree": degree,
            "knot_rate": knot_rate,
            "out": out,
            "rate": rate,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "snap": snap,
        }
        return self._carry_out(Excitation, "excite", fields, progress)

    def simulate(
        self,
        *,
        state: Data | None = None,
        duration: float | None = None,
        step: float | None = None,
        method: Literal["auto", "rk4", "adaptive", "implicit"] | None = None,
        tolerance: float | None = None,
        torque: Data | None = None,
        interpolation: Literal["linear", "hold"] | None = None,
        every: int | None = None,
        stop_at_limits: bool | None = None,
        out: Name | None = None,
        plot: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        animate: Name | None = None,
        frame_rate: int | None = None,
        frame_width: int | None = None,
        playback_speed: float | None = None,
        rotors: Literal["reduced", "complete"] | None = None,
        law: Literal["none", "constant", "table", "pd", "pd-gravity", "computed-torque", "feed-forward", "exact-linearisation", "strain-feedback", "adaptive"] | Law | None = None,
        trajectory: Data | None = None,
        smoothing: float | None = None,
        goal: Data | None = None,
        kp: Numbers | None = None,
        kd: Numbers | None = None,
        strain: Numbers | None = None,
        strain_rate: Numbers | None = None,
        poles: Data | None = None,
        slope: Numbers | None = None,
        adaptation: Numbers | None = None,
        learn: Literal["base", "standard"] | None = None,
        nominal: Data | None = None,
        saturate: bool | None = None,
        ignore_effort: bool | None = None,
        sample: float | None = None,
        noise: Numbers | None = None,
        resolution: float | None = None,
        seed: int | None = None,
        progress: Progress = True,
    ) -> Motion:
        """Simulate the motion of a robot.

        Parameters
        ----------
        state : Start: JSON file, - for standard input, the JSON itself, or the name of one of the robot's states;
            without it neutral and at rest
        duration : Time to simulate, s; without it the length of the trajectory, or 1 s
        step : Step length, s; with methods that choose their steps the time between samples (default 0.001)
        method : Integrator; without it rk4, or adaptive under a law that looks at the robot and with hysteresis,
            which may be stiff
        tolerance : Relative and absolute error per step of the methods that choose their steps (default 1e-09)
        torque : Torques of the drives: none, constant JSON, or table FILE
        interpolation : How a torque table is read between its lines (default linear)
        every : Take a sample every so many steps (default 1)
        stop_at_limits : Stop when a joint reaches an end of its range
        out : Write the samples as CSV or, by the ending of the name, Parquet
        plot : Draw positions, velocities, errors, torques and energy
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        animate : Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
        frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
        frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long
        rotors : Whether rotors of elastic joints feel the turning of the links that carry them (default reduced)
        law : Control law; without it the torques given; or a function ``f(t, q, qd)`` that returns the torques, as an
            array or a dict by joint
        trajectory : What the joints are to do: JSON file, CSV file of samples, the JSON itself, or waves, hold,
            mueller-kumar
        smoothing : Standard deviation of the Gaussian that smooths samples of a trajectory, s
        goal : Where the joints are to rest instead of following a trajectory: a state, or its q alone
        kp : Gains on the error: one for all joints, or one per joint, N m/rad; 1/s² for computed torque
        kd : Gains on its rate, N m s/rad; 1/s for computed torque
        strain : Gains of strain feedback on each link's tip deflection, N
        strain_rate : Gains of strain feedback on its rate, N s
        poles : Error poles of the exact linearisation as decay rates, 1/s: one for all, or four, such as
            8+3i,8-3i,12,12; without them 10
        slope : Slope of adaptive control, the rate at which errors die out on its sliding surface, 1/s
        adaptation : How fast adaptive control learns: one number for all parameters, or one per parameter
        learn : Which parameters adaptive control learns (default base)
        nominal : The robot that the law takes this one for; without it the law knows it exactly
        saturate : Cut torques at the largest that each drive can give, `effort` in the robot file
        ignore_effort : Let a law ask more of the drives of elastic joints than their `effort`
        sample : Sample the law at this frequency and hold its torque in between, Hz
        noise : Standard deviations of measured positions and velocities, rad and rad/s (m, m/s); one number stands
            for both
        resolution : Resolution of measured positions, rad or m
        seed : Seed of the noise

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.simulate(duration=0.5, law="pd-gravity", goal=[1.0, 0.5], kp=50, kd=10).q.shape
        (501, 2)
        """
        fields = {
            "state": state,
            "duration": duration,
            "step": step,
            "method": method,
            "tolerance": tolerance,
            "torque": torque,
            "interpolation": interpolation,
            "every": every,
            "stop_at_limits": stop_at_limits,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "animate": animate,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
            "rotors": rotors,
            "law": law,
            "trajectory": trajectory,
            "smoothing": smoothing,
            "goal": goal,
            "kp": kp,
            "kd": kd,
            "strain": strain,
            "strain_rate": strain_rate,
            "poles": poles,
            "slope": slope,
            "adaptation": adaptation,
            "learn": learn,
            "nominal": nominal,
            "saturate": saturate,
            "ignore_effort": ignore_effort,
            "sample": sample,
            "noise": noise,
            "resolution": resolution,
            "seed": seed,
        }
        return self._carry_out(Motion, "simulate", fields, progress)

    def trajectory(
        self,
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
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.trajectory({"duration": 2, "joints": [{"polynomial": [0, 1]}] * 2}, "gravity", samples=3).arrays["gravity"].shape
        (3, 2)
        """
        fields = {
            "trajectory": trajectory,
            "quantity": quantity,
            "samples": samples,
            "times": times,
            "smoothing": smoothing,
            "method": method,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "animate": animate,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
        }
        return self._carry_out(Evaluation, "trajectory", fields, progress)

    def ik(
        self,
        link: str,
        target: Data,
        *,
        point: Data | None = None,
        task: Literal["pose", "position", "position-xy", "pointing", "position-pointing"] | None = None,
        rows: Data | None = None,
        axis: Data | None = None,
        criterion: Data | None = None,
        home: Data | None = None,
        weights: Data | None = None,
        obstacles: Data | None = None,
        samples: int | None = None,
        start: Data | None = None,
        ignore_limits: bool | None = None,
        starts: int | None = None,
        chance: float | None = None,
        seed: int | None = None,
        goal: Literal["minimum", "maximum", "stationary"] | None = None,
        method: Literal["newton", "chang", "extended-jacobian", "resolved-motion"] | None = None,
        tolerance: float | None = None,
        iterations: int | None = None,
        length: float | None = None,
        speed: float | None = None,
        step: float | None = None,
        gain: float | None = None,
        all: bool | None = None,
        plot: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        progress: Progress = True,
    ) -> Solution:
        """Solve the inverse kinematics of one target or many.

        Parameters
        ----------
        link : The link to place; `tool`, or the robot's end if it has only one, if it is not said
        target : The target, or many: a file (.json, .jsonl, .csv, .parquet), - for standard input, or the JSON itself
        point : Point of the link, in its frame, m
        task : What is asked of the link; from the form of the target if it is not said
        rows : Rows with weights instead of a task: x, y, z and rx, ry, rz, as in x,y=2,rz=0.5
        axis : The axis of the link that points, for the pointing tasks (default 0,0,1)
        criterion : Criterion, or a weighted sum as in manipulability=1,mid-range=0.1: manipulability, mid-range,
            limit-barrier, home, obstacles, none
        home : Home posture, for that criterion: a file or JSON, one number per joint
        weights : Weights of the home posture, one per velocity
        obstacles : Obstacles, for that criterion: [{"center", "radii", "exponent"}, ...]
        samples : Points per link that keep away from obstacles (default 4)
        start : Where to start: a file or JSON, as `q` of a state
        ignore_limits : Ignore the joints' limits
        starts : Most starts; the best is taken, or with `start` or without a criterion the first that succeeds
            (default 2000)
        chance : Without `start`: go on until the estimated chance that a better optimum was missed is at most this
            (default 0.01)
        seed : Seed of the random starts (default 1)
        goal : What to look for (default minimum)
        method : How to solve (default newton)
        tolerance : Largest error of the pose, m and rad (default 1e-10)
        iterations : Most iterations from one start (default 150)
        length : Length that makes positions comparable with angles in the manipulability, m (default 0.5)
        speed : Speed of the tip, m/s, for resolved-motion (default 0.1)
        step : Time step, s, for resolved-motion (default 0.01)
        gain : Gain of the null-space term, 1/s, for resolved-motion (default 100.0)
        all : All stationary points that are found, of every kind
        plot : Draw the arm at its target to scale, other solutions as ghosts
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.ik("tool", [0.5, 0.5]).status
        'solved'
        """
        fields = {
            "link": link,
            "target": target,
            "point": point,
            "task": task,
            "rows": rows,
            "axis": axis,
            "criterion": criterion,
            "home": home,
            "weights": weights,
            "obstacles": obstacles,
            "samples": samples,
            "start": start,
            "ignore_limits": ignore_limits,
            "starts": starts,
            "chance": chance,
            "seed": seed,
            "goal": goal,
            "method": method,
            "tolerance": tolerance,
            "iterations": iterations,
            "length": length,
            "speed": speed,
            "step": step,
            "gain": gain,
            "all": all,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
        }
        return self._carry_out(Solution, "ik", fields, progress)

    def ik_path(
        self,
        path: Data,
        *,
        link: str | None = None,
        point: Data | None = None,
        task: Literal["pose", "position", "position-xy", "pointing", "position-pointing"] | None = None,
        rows: Data | None = None,
        axis: Data | None = None,
        criterion: Data | None = None,
        home: Data | None = None,
        weights: Data | None = None,
        obstacles: Data | None = None,
        samples: int | None = None,
        start: Data | None = None,
        ignore_limits: bool | None = None,
        starts: int | None = None,
        chance: float | None = None,
        seed: int | None = None,
        goal: Literal["minimum", "maximum", "stationary"] | None = None,
        method: Literal["newton", "chang", "extended-jacobian", "resolved-motion"] | None = None,
        tolerance: float | None = None,
        iterations: int | None = None,
        length: float | None = None,
        speed: float | None = None,
        step: float | None = None,
        gain: float | None = None,
        compare: bool | None = None,
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
    ) -> Path:
        """Solve the inverse kinematics along a path.

        Parameters
        ----------
        path : The path: a file, - for standard input, the JSON itself, or `chang`
        link : The link to place; `tool`, or the robot's end if it has only one, if it is not said
        point : Point of the link, in its frame, m
        task : What is asked of the link; from the form of the target if it is not said
        rows : Rows with weights instead of a task: x, y, z and rx, ry, rz, as in x,y=2,rz=0.5
        axis : The axis of the link that points, for the pointing tasks (default 0,0,1)
        criterion : Criterion, or a weighted sum as in manipulability=1,mid-range=0.1: manipulability, mid-range,
            limit-barrier, home, obstacles, none
        home : Home posture, for that criterion: a file or JSON, one number per joint
        weights : Weights of the home posture, one per velocity
        obstacles : Obstacles, for that criterion: [{"center", "radii", "exponent"}, ...]
        samples : Points per link that keep away from obstacles (default 4)
        start : Where to start: a file or JSON, as `q` of a state
        ignore_limits : Ignore the joints' limits
        starts : Most starts; the best is taken, or with `start` or without a criterion the first that succeeds
            (default 2000)
        chance : Without `start`: go on until the estimated chance that a better optimum was missed is at most this
            (default 0.01)
        seed : Seed of the random starts (default 1)
        goal : What to look for (default minimum)
        method : How to solve (default newton)
        tolerance : Largest error of the pose, m and rad (default 1e-10)
        iterations : Most iterations from one start (default 150)
        length : Length that makes positions comparable with angles in the manipulability, m (default 0.5)
        speed : Speed of the tip, m/s, for resolved-motion (default 0.1)
        step : Time step, s, for resolved-motion (default 0.01)
        gain : Gain of the null-space term, 1/s, for resolved-motion (default 100.0)
        compare : Run the resolved-motion method beside the chosen one and show both
        out : Write the joint numbers as CSV or, by the ending of the name, Parquet
        plot : Draw joints and arm along the path
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        animate : Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
        frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
        frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.ik_path([[0.5, 0.5], [0.5, 0.4]]).q.shape
        (2, 2)
        """
        fields = {
            "path": path,
            "link": link,
            "point": point,
            "task": task,
            "rows": rows,
            "axis": axis,
            "criterion": criterion,
            "home": home,
            "weights": weights,
            "obstacles": obstacles,
            "samples": samples,
            "start": start,
            "ignore_limits": ignore_limits,
            "starts": starts,
            "chance": chance,
            "seed": seed,
            "goal": goal,
            "method": method,
            "tolerance": tolerance,
            "iterations": iterations,
            "length": length,
            "speed": speed,
            "step": step,
            "gain": gain,
            "compare": compare,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "animate": animate,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
        }
        return self._carry_out(Path, "ik-path", fields, progress)

    def convert(
        self,
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
        to : Format [default: that of the ending of `out`]
        out : Write to a file
        dh : Convention of a Denavit-Hartenberg table [default: standard]
        tolerance : How far a Denavit-Hartenberg table may be from the robot, m and rad [default: 1e-9]
        link : Link that a screw list leads to [default: the end of the longest chain]

        Examples
        --------
        >>> import jourdain as jd
        >>> robot = jd.load("planar2r")
        >>> robot.convert("urdf").text.splitlines()[1]
        '<robot name="planar2r">'
        """
        fields = {
            "to": to,
            "out": out,
            "dh": dh,
            "tolerance": tolerance,
            "link": link,
        }
        return self._carry_out(Conversion, "convert", fields, progress)

    def bench(
        self,
        *,
        quantity: Words | None = None,
        rounds: int | None = None,
        progress: Progress = True,
    ) -> Timings:
        """Time quantities on this machine by each way of computing them.

        Parameters
        ----------
        quantity : Quantities, separated by commas; `name:LINK` for those of a link
        rounds : Turns that each way has: more of them find a quieter moment (default 10)
        """
        fields = {
            "quantity": quantity,
            "rounds": rounds,
        }
        return self._carry_out(Timings, "bench", fields, progress)


class ElasticOperations:
    """What can be asked beside quantities."""

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        raise NotImplementedError

    def simulate(
        self,
        *,
        controller: Literal["linearising", "feedforward", "computed-torque", "none"] | None = None,
        trajectory: Data | None = None,
        smoothing: float | None = None,
        poles: Data | None = None,
        offset: Data | None = None,
        duration: float | None = None,
        step: float | None = None,
        damping: float | None = None,
        saturate: bool | None = None,
        sample: float | None = None,
        rotors: Literal["reduced", "complete"] | None = None,
        ignore_effort: bool | None = None,
        method: Literal["auto", "rk4", "adaptive", "implicit"] | None = None,
        tolerance: float | None = None,
        every: int | None = None,
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
    ) -> Motion:
        """Simulate an elastic robot under a control law.

        Parameters
        ----------
        controller : Control law (default linearising)
        trajectory : What the links are to do: JSON file, CSV file of samples, the JSON itself, or a built-in name
            (default waves)
        smoothing : Standard deviation of the Gaussian that smooths samples, s
        poles : Error poles as decay rates, 1/s: one for all, or four, such as 8+3i,8-3i,12,12
        offset : How far the links start off the reference, q_d - q, as a JSON list; without it on the reference
        duration : Time to simulate, s; without it the length of the trajectory
        step : Step length, s (default 0.001)
        damping : Damping of every spring, N m s/rad at the link, instead of what the robot file says
        saturate : Cut torques at the largest that each drive can give, `effort` in the robot file
        sample : Sample the law at this frequency and hold its torque in between, Hz
        rotors : Whether rotors feel the turning of the links that carry them (default reduced)
        ignore_effort : Let the law ask more of a drive than its `effort`; without it torques are cut there
        method : Integrator (default auto)
        tolerance : Relative and absolute error per step of the methods that choose their steps (default 1e-09)
        every : Take a sample every so many steps (default 1)
        out : Write the samples as CSV or, by the ending of the name, Parquet
        plot : Draw errors, deflections and torques
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        animate : Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
        frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
        frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long
        """
        fields = {
            "controller": controller,
            "trajectory": trajectory,
            "smoothing": smoothing,
            "poles": poles,
            "offset": offset,
            "duration": duration,
            "step": step,
            "damping": damping,
            "saturate": saturate,
            "sample": sample,
            "rotors": rotors,
            "ignore_effort": ignore_effort,
            "method": method,
            "tolerance": tolerance,
            "every": every,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "animate": animate,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
        }
        return self._carry_out(Motion, "elastic simulate", fields, progress)

    def inverse(
        self,
        *,
        trajectory: Data | None = None,
        smoothing: float | None = None,
        damping: float | None = None,
        samples: int | None = None,
        out: Name | None = None,
        plot: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        progress: Progress = True,
    ) -> MotorMotion:
        """Motor positions and torques for a motion of the links.

        Parameters
        ----------
        trajectory : What the links do: JSON file, CSV file of samples, the JSON itself, or a built-in name (default
            waves)
        smoothing : Standard deviation of the Gaussian that smooths samples, s
        damping : Damping of every spring, N m s/rad at the link, instead of what the robot file says
        samples : Number of times, begin and end included (default 201)
        out : Write the numbers as CSV or, by the ending of the name, Parquet
        plot : Draw deflections, speeds and torques of the motors
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        """
        fields = {
            "trajectory": trajectory,
            "smoothing": smoothing,
            "damping": damping,
            "samples": samples,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
        }
        return self._carry_out(MotorMotion, "elastic inverse", fields, progress)

    def robustness(
        self,
        *,
        controller: Literal["linearising", "feedforward", "computed-torque", "none"] | None = None,
        trajectory: Data | None = None,
        smoothing: float | None = None,
        poles: Data | None = None,
        offset: Data | None = None,
        duration: float | None = None,
        step: float | None = None,
        damping: float | None = None,
        saturate: bool | None = None,
        sample: float | None = None,
        samples: int | None = None,
        seed: int | None = None,
        mass: float | None = None,
        stiffness: float | None = None,
        friction: float | None = None,
        largest_payload: float | None = None,
        bound: float | None = None,
        out: Name | None = None,
        plot: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        progress: Progress = True,
    ) -> Robustness:
        """Test a control law on perturbed robots.

        Parameters
        ----------
        controller : Control law (default linearising)
        trajectory : What the links are to do: JSON file, CSV file of samples, the JSON itself, or a built-in name
            (default waves)
        smoothing : Standard deviation of the Gaussian that smooths samples, s
        poles : Error poles as decay rates, 1/s: one for all, or four, such as 8+3i,8-3i,12,12
        offset : How far the links start off the reference, q_d - q, as a JSON list; without it on the reference
        duration : Time to simulate, s; without it the length of the trajectory
        step : Step length, s (default 0.001)
        damping : Damping of every spring, N m s/rad at the link, instead of what the robot file says
        saturate : Cut torques at the largest that each drive can give, `effort` in the robot file
        sample : Sample the law at this frequency and hold its torque in between, Hz
        samples : Robots to draw (default 200)
        seed : Seed of the robots (default 1)
        mass : Spread of each link's mass, as a share (default 0.1)
        stiffness : Spread of each stiffness, as a share (default 0.1)
        friction : Spread of the friction, as a share (default 0.2)
        largest_payload : Largest payload to draw, kg
        bound : Errors beyond this are a loss of control, rad or m (default 1.0)
        out : Write the samples as CSV or, by the ending of the name, Parquet
        plot : Draw the distributions
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        """
        fields = {
            "controller": controller,
            "trajectory": trajectory,
            "smoothing": smoothing,
            "poles": poles,
            "offset": offset,
            "duration": duration,
            "step": step,
            "damping": damping,
            "saturate": saturate,
            "sample": sample,
            "samples": samples,
            "seed": seed,
            "mass": mass,
            "stiffness": stiffness,
            "friction": friction,
            "largest_payload": largest_payload,
            "bound": bound,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
        }
        return self._carry_out(Robustness, "elastic robustness", fields, progress)

    def linearise(
        self,
        posture: Data | None = None,
        *,
        progress: Progress = True,
    ) -> Linearisation:
        """Natural frequencies, modes, A and B about a posture.

        Parameters
        ----------
        posture : Positions of the joints as a JSON list; without it all zero
        """
        fields = {
            "posture": posture,
        }
        return self._carry_out(Linearisation, "elastic linearise", fields, progress)


class FlexibleOperations:
    """What can be asked beside quantities."""

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        raise NotImplementedError

    def modes(
        self,
        *,
        kinematics: Literal["paper", "linear", "rotation", "stiffened", "exact"] | None = None,
        payload: Numbers | None = None,
        keep_modes: bool | None = None,
        details: bool | None = None,
        payload_scales: Numbers | None = None,
        configurations: Data | None = None,
        plot: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        animate: Name | None = None,
        frame_rate: int | None = None,
        frame_width: int | None = None,
        playback_speed: float | None = None,
        progress: Progress = True,
    ) -> Modes:
        """Modes of each link: frequencies, shapes at the end, integrals.

        Parameters
        ----------
        kinematics : How far deflections are kept, instead of what the file says
        payload : Another payload: mass in kg and inertia in kg m²
        keep_modes : Keep the mode shapes of the file's payload under the other payload
        details : Add constants, nodes, cross moments and boundaries to the JSON document
        payload_scales : Frequencies at these multiples of the payload instead
        configurations : Frequencies with the bodies at the links' ends taken at these joint angles instead
        plot : Draw the mode shapes
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        animate : Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
        frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
        frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long
        """
        fields = {
            "kinematics": kinematics,
            "payload": payload,
            "keep_modes": keep_modes,
            "details": details,
            "payload_scales": payload_scales,
            "configurations": configurations,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "animate": animate,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
        }
        return self._carry_out(Modes, "flexible modes", fields, progress)

    def eval(
        self,
        state: Data,
        *,
        kinematics: Literal["paper", "linear", "rotation", "stiffened", "exact"] | None = None,
        payload: Numbers | None = None,
        keep_modes: bool | None = None,
        details: bool | None = None,
        progress: Progress = True,
    ) -> Report:
        """B, h, K, D and the tip at one state or many.

        Parameters
        ----------
        state : JSON file with one state or a list of them, - for standard input, or the JSON itself
        kinematics : How far deflections are kept, instead of what the file says
        payload : Another payload: mass in kg and inertia in kg m²
        keep_modes : Keep the mode shapes of the file's payload under the other payload
        details : Add energies, momentum, the tip's angle and Jacobian, free accelerations and the range of validity
        """
        fields = {
            "state": state,
            "kinematics": kinematics,
            "payload": payload,
            "keep_modes": keep_modes,
            "details": details,
        }
        return self._carry_out(Report, "flexible eval", fields, progress)

    def simulate(
        self,
        scenario: Data | None = None,
        *,
        kinematics: Literal["paper", "linear", "rotation", "stiffened", "exact"] | None = None,
        payload: Numbers | None = None,
        keep_modes: bool | None = None,
        duration: float | None = None,
        step: float | None = None,
        method: Literal["auto", "rk4", "adaptive", "implicit"] | None = None,
        tolerance: float | None = None,
        every: int | None = None,
        beyond_validity: bool | None = None,
        law: Literal["none", "constant", "table", "pd", "pd-gravity", "computed-torque", "feed-forward", "exact-linearisation", "strain-feedback", "adaptive"] | Law | None = None,
        trajectory: Data | None = None,
        smoothing: float | None = None,
        goal: Data | None = None,
        kp: Numbers | None = None,
        kd: Numbers | None = None,
        strain: Numbers | None = None,
        strain_rate: Numbers | None = None,
        poles: Data | None = None,
        slope: Numbers | None = None,
        adaptation: Numbers | None = None,
        learn: Literal["base", "standard"] | None = None,
        nominal: Data | None = None,
        saturate: bool | None = None,
        ignore_effort: bool | None = None,
        sample: float | None = None,
        noise: Numbers | None = None,
        resolution: float | None = None,
        seed: int | None = None,
        out: Name | None = None,
        plot: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        magnify: float | None = None,
        animate: Name | None = None,
        frame_rate: int | None = None,
        frame_width: int | None = None,
        playback_speed: float | None = None,
        progress: Progress = True,
    ) -> Motion:
        """Simulate the motion of a flexible arm.

        Parameters
        ----------
        scenario : fig5 … fig10, JSON file, - for standard input, or the JSON itself
        kinematics : How far deflections are kept, instead of what the file says
        payload : Another payload: mass in kg and inertia in kg m²
        keep_modes : Keep the mode shapes of the file's payload under the other payload
        duration : Time to simulate, s, instead of what the scenario says
        step : Step length, s, instead of what the scenario says; with the adaptive method the time between samples
        method : Integrator; without it rk4, or one that chooses its steps where modes are too fast for that or a law
            looks at the arm
        tolerance : Relative and absolute error per step of the adaptive method (default 1e-09)
        every : Take a sample every so many steps (default 1)
        beyond_validity : Go on where links bend further than the kinematics bear
        law : Control law; without it the torques given; or a function ``f(t, q, qd)`` that returns the torques, as an
            array or a dict by joint
        trajectory : What the joints are to do: JSON file, CSV file of samples, the JSON itself, or waves, hold,
            mueller-kumar
        smoothing : Standard deviation of the Gaussian that smooths samples of a trajectory, s
        goal : Where the joints are to rest instead of following a trajectory: a state, or its q alone
        kp : Gains on the error: one for all joints, or one per joint, N m/rad; 1/s² for computed torque
        kd : Gains on its rate, N m s/rad; 1/s for computed torque
        strain : Gains of strain feedback on each link's tip deflection, N
        strain_rate : Gains of strain feedback on its rate, N s
        poles : Error poles of the exact linearisation as decay rates, 1/s: one for all, or four, such as
            8+3i,8-3i,12,12; without them 10
        slope : Slope of adaptive control, the rate at which errors die out on its sliding surface, 1/s
        adaptation : How fast adaptive control learns: one number for all parameters, or one per parameter
        learn : Which parameters adaptive control learns (default base)
        nominal : The robot that the law takes this one for; without it the law knows it exactly
        saturate : Cut torques at the largest that each drive can give, `effort` in the robot file
        ignore_effort : Let a law ask more of the drives of elastic joints than their `effort`
        sample : Sample the law at this frequency and hold its torque in between, Hz
        noise : Standard deviations of measured positions and velocities, rad and rad/s (m, m/s); one number stands
            for both
        resolution : Resolution of measured positions, rad or m
        seed : Seed of the noise
        out : Write the samples as CSV or, by the ending of the name, Parquet
        plot : Draw deflections, joints and tip
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        magnify : Draw deflections of the animation so many times as large as they are (default 1.0)
        animate : Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
        frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
        frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long
        """
        fields = {
            "scenario": scenario,
            "kinematics": kinematics,
            "payload": payload,
            "keep_modes": keep_modes,
            "duration": duration,
            "step": step,
            "method": method,
            "tolerance": tolerance,
            "every": every,
            "beyond_validity": beyond_validity,
            "law": law,
            "trajectory": trajectory,
            "smoothing": smoothing,
            "goal": goal,
            "kp": kp,
            "kd": kd,
            "strain": strain,
            "strain_rate": strain_rate,
            "poles": poles,
            "slope": slope,
            "adaptation": adaptation,
            "learn": learn,
            "nominal": nominal,
            "saturate": saturate,
            "ignore_effort": ignore_effort,
            "sample": sample,
            "noise": noise,
            "resolution": resolution,
            "seed": seed,
            "out": out,
            "plot": plot,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "magnify": magnify,
            "animate": animate,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
        }
        return self._carry_out(Motion, "flexible simulate", fields, progress)

    def linearise(
        self,
        at: Data | None = None,
        *,
        kinematics: Literal["paper", "linear", "rotation", "stiffened", "exact"] | None = None,
        payload: Numbers | None = None,
        keep_modes: bool | None = None,
        spin: Data | None = None,
        beyond_validity: bool | None = None,
        input: int | None = None,
        output: str | None = None,
        bode: Name | None = None,
        plot_size: Literal["column", "page", "screen"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        transparent: bool | None = None,
        configurations: Data | None = None,
        payload_scales: Numbers | None = None,
        progress: Progress = True,
    ) -> Linearisation:
        """Linearise about a configuration: state space, frequencies, poles, zeros.

        Parameters
        ----------
        at : Joint angles or all coordinates, as JSON; straight without it
        kinematics : How far deflections are kept, instead of what the file says
        payload : Another payload: mass in kg and inertia in kg m²
        keep_modes : Keep the mode shapes of the file's payload under the other payload
        spin : Rates of the joints, rad/s, as JSON: linearise about a steady motion, such as [10, 0]; at rest without
            it
        beyond_validity : Go on where links bend further than the kinematics bear
        input : Joint whose torque is the input of the Bode plot, counted from one (default 1)
        output : Output of the Bode plot
        bode : Draw the frequency response
        plot_size : Width of the plot (default page)
        theme : Colours of the plot (default light)
        transparent : Leave the ground of the plot out, so that a page shines through
        configurations : Frequencies at these joint angles instead
        payload_scales : Frequencies at these multiples of the payload instead
        """
        fields = {
            "at": at,
            "kinematics": kinematics,
            "payload": payload,
            "keep_modes": keep_modes,
            "spin": spin,
            "beyond_validity": beyond_validity,
            "input": input,
            "output": output,
            "bode": bode,
            "plot_size": plot_size,
            "theme": theme,
            "transparent": transparent,
            "configurations": configurations,
            "payload_scales": payload_scales,
        }
        return self._carry_out(Linearisation, "flexible linearise", fields, progress)

    def derive(
        self,
        quantity: Literal["inertia", "velocity", "gravity", "forces", "tip"] | Sequence[Literal["inertia", "velocity", "gravity", "forces", "tip"]] | None = None,
        target: Literal["text", "latex", "rust", "c", "python", "matlab"] = "latex",
        *,
        kinematics: Literal["paper", "linear", "rotation", "stiffened", "exact"] | None = None,
        payload: Numbers | None = None,
        keep_modes: bool | None = None,
        parameters: Literal["numeric", "symbolic"] | None = None,
        out: Name | None = None,
        progress: Progress = True,
    ) -> Formula:
        """Derive the explicit equations of an arm, to read or as source code.

        Parameters
        ----------
        quantity : Quantities, separated by commas (default ['inertia', 'velocity'])
        target : Language (default text)
        kinematics : How far deflections are kept, instead of what the file says
        payload : Another payload: mass in kg and inertia in kg m²
        keep_modes : Keep the mode shapes of the file's payload under the other payload
        parameters : What lengths, masses and shapes of the arm are in the result [default: symbolic in equations,
            numeric in code]
        out : Folder for the files
        """
        fields = {
            "quantity": quantity,
            "target": target,
            "kinematics": kinematics,
            "payload": payload,
            "keep_modes": keep_modes,
            "parameters": parameters,
            "out": out,
        }
        return self._carry_out(Formula, "flexible derive", fields, progress)

    def animate(
        self,
        scenario: Data,
        out: Name,
        *,
        kinematics: Literal["paper", "linear", "rotation", "stiffened", "exact"] | None = None,
        payload: Numbers | None = None,
        keep_modes: bool | None = None,
        duration: float | None = None,
        step: float | None = None,
        method: Literal["auto", "rk4", "adaptive", "implicit"] | None = None,
        tolerance: float | None = None,
        every: int | None = None,
        beyond_validity: bool | None = None,
        law: Literal["none", "constant", "table", "pd", "pd-gravity", "computed-torque", "feed-forward", "exact-linearisation", "strain-feedback", "adaptive"] | Law | None = None,
        trajectory: Data | None = None,
        smoothing: float | None = None,
        goal: Data | None = None,
        kp: Numbers | None = None,
        kd: Numbers | None = None,
        strain: Numbers | None = None,
        strain_rate: Numbers | None = None,
        poles: Data | None = None,
        slope: Numbers | None = None,
        adaptation: Numbers | None = None,
        learn: Literal["base", "standard"] | None = None,
        nominal: Data | None = None,
        saturate: bool | None = None,
        ignore_effort: bool | None = None,
        sample: float | None = None,
        noise: Numbers | None = None,
        resolution: float | None = None,
        seed: int | None = None,
        magnify: float | None = None,
        frame_rate: int | None = None,
        frame_width: int | None = None,
        playback_speed: float | None = None,
        progress: Progress = True,
    ) -> Animation:
        """Animate the motion of a flexible arm.

        Parameters
        ----------
        scenario : fig5 … fig10, JSON file, - for standard input, or the JSON itself
        out : The file to write
        kinematics : How far deflections are kept, instead of what the file says
        payload : Another payload: mass in kg and inertia in kg m²
        keep_modes : Keep the mode shapes of the file's payload under the other payload
        duration : Time to simulate, s, instead of what the scenario says
        step : Step length, s, instead of what the scenario says; with the adaptive method the time between samples
        method : Integrator; without it rk4, or one that chooses its steps where modes are too fast for that or a law
            looks at the arm
        tolerance : Relative and absolute error per step of the adaptive method (default 1e-09)
        every : Take a sample every so many steps (default 1)
        beyond_validity : Go on where links bend further than the kinematics bear
        law : Control law; without it the torques given; or a function ``f(t, q, qd)`` that returns the torques, as an
            array or a dict by joint
        trajectory : What the joints are to do: JSON file, CSV file of samples, the JSON itself, or waves, hold,
            mueller-kumar
        smoothing : Standard deviation of the Gaussian that smooths samples of a trajectory, s
        goal : Where the joints are to rest instead of following a trajectory: a state, or its q alone
        kp : Gains on the error: one for all joints, or one per joint, N m/rad; 1/s² for computed torque
        kd : Gains on its rate, N m s/rad; 1/s for computed torque
        strain : Gains of strain feedback on each link's tip deflection, N
        strain_rate : Gains of strain feedback on its rate, N s
        poles : Error poles of the exact linearisation as decay rates, 1/s: one for all, or four, such as
            8+3i,8-3i,12,12; without them 10
        slope : Slope of adaptive control, the rate at which errors die out on its sliding surface, 1/s
        adaptation : How fast adaptive control learns: one number for all parameters, or one per parameter
        learn : Which parameters adaptive control learns (default base)
        nominal : The robot that the law takes this one for; without it the law knows it exactly
        saturate : Cut torques at the largest that each drive can give, `effort` in the robot file
        ignore_effort : Let a law ask more of the drives of elastic joints than their `effort`
        sample : Sample the law at this frequency and hold its torque in between, Hz
        noise : Standard deviations of measured positions and velocities, rad and rad/s (m, m/s); one number stands
            for both
        resolution : Resolution of measured positions, rad or m
        seed : Seed of the noise
        magnify : Draw deflections so many times as large as they are (default 1.0)
        frame_rate : Pictures per second of the animation, 1 to 60 (default 25)
        frame_width : Width of an animated GIF or PNG, 160 to 1920 pixels (default 640)
        playback_speed : Seconds of the motion in a second of the animation; without it 1, or a round number if that
            would be too short or too long
        """
        fields = {
            "scenario": scenario,
            "out": out,
            "kinematics": kinematics,
            "payload": payload,
            "keep_modes": keep_modes,
            "duration": duration,
            "step": step,
            "method": method,
            "tolerance": tolerance,
            "every": every,
            "beyond_validity": beyond_validity,
            "law": law,
            "trajectory": trajectory,
            "smoothing": smoothing,
            "goal": goal,
            "kp": kp,
            "kd": kd,
            "strain": strain,
            "strain_rate": strain_rate,
            "poles": poles,
            "slope": slope,
            "adaptation": adaptation,
            "learn": learn,
            "nominal": nominal,
            "saturate": saturate,
            "ignore_effort": ignore_effort,
            "sample": sample,
            "noise": noise,
            "resolution": resolution,
            "seed": seed,
            "magnify": magnify,
            "frame_rate": frame_rate,
            "frame_width": frame_width,
            "playback_speed": playback_speed,
        }
        return self._carry_out(Animation, "flexible animate", fields, progress)
