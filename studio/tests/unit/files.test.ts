import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf, mainRobot, type Taken } from '../../src/state/files.ts';

const file = (path: string, text: string): Taken => {
  const bytes = new TextEncoder().encode(text);
  return { path, bytes, kind: kindOf(path, bytes) };
};

test('content decides what a file is', () => {
  assert.equal(file('a.xml', '<?xml version="1.0"?>\n<mujoco model="a">').kind, 'robot');
  assert.equal(file('a.txt', '<robot name="a">').kind, 'robot');
  assert.equal(file('a.toml', 'name = "a"\n[[link]]\nname = "b"').kind, 'robot');
  assert.equal(file('log.csv', 't,q1,q2,tau1\n0,1,2,3').kind, 'log');
  assert.equal(file('x.parquet', 'PAR1....').kind, 'log');
  assert.equal(file('part.stl', 'solid robot\n').kind, 'other');
});

test('of a folder the robot is the file that no other includes', () => {
  const files = [
    file('pkg/macro.xacro', '<robot><xacro:macro name="arm"><link name="a"/></xacro:macro></robot>'),
    file('pkg/urdf/arm.urdf.xacro', '<robot name="arm"><xacro:include filename="$(find pkg)/macro.xacro"/><xacro:arm/></robot>'),
    file('pkg/meshes/a.stl', 'solid'),
  ];
  assert.equal(mainRobot(files)?.path, 'pkg/urdf/arm.urdf.xacro');
});
