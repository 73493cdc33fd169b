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
    robot : The robot, or its name or file
    data : Log to identify from; several are taken together; - for standard input
    validate : Log to check the estimates on
    rate : Samples per second, for logs without time
    cutoff : Cut-off of the smoothing; given, logs with all derivatives are smoothed too
    decimate : Use every N-th sample
    topic : Topic of the joint states, for recordings that have several
    threads : Threads to work on; as many as there are processors if it is not given. The result is the same
    friction : Friction to identify; the rest is as in the robot file (default both)
    armature : Identify rotor inertias too; without it they are as in the robot file
    outliers : What becomes of torques that the estimate shows to be faults: more than five standard deviations away
        (default drop)
    base : What holds a free base whose torques are not in the log; without it, the wrenches of the log, if there are
        any
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
    prior_weight : Weight of the robot file in the consistent estimate, in units of log-likelihood; `auto` is the one
        with which parts of the log tell the others best
    total_mass : Mass of all links that move, kg; it is kept to within a hundredth
    bounds : Limits of links: {"link": {"mass": [least, largest], "com": [[x, x], [y, y], [z, z]]}}, kg and m in the
        link frame
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
    return robot_of(robot).identify(
        data,
        validate=validate,
        rate=rate,
        cutoff=cutoff,
        decimate=decimate,
        topic=topic,
        threads=threads,
        friction=friction,
        armature=armature,
        outliers=outliers,
        base=base,
        payload_link=payload_link,
        loaded=loaded,
        with_=with_,
        at_rest=at_rest,
        poses=poses,
        gains=gains,
        payload_mass=payload_mass,
        robot_mass=robot_mass,
        elastic=elastic,
        offset=offset,
        coupling=coupling,
        delay=delay,
        column_delay=column_delay,
        fit=fit,
        prior_weight=prior_weight,
        total_mass=total_mass,
        bounds=bounds,
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
    robot : The robot, or its name or file
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
    """
    return robot_of(robot).excite(
        harmonics=harmonics,
        period=period,
        acceleration=acceleration,
        jerk=jerk,
        effort_share=effort_share,
        share=share,
        ground=ground,
        clearance=clearance,
        radius=radius,
        may_touch=may_touch,
        no_collisions=no_collisions,
        criterion=criterion,
        parameters=parameters,
        noise=noise,
        from_=from_,
        starts=starts,
        steps=steps,
        seed=seed,
        friction=friction,
        armature=armature,
        trajectory=trajectory,
        spline=spline,
        degree=degree,
        knot_rate=knot_rate,
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
