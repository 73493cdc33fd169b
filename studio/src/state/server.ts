// The server, if the page has one: the files of its folders, and whether it is still there. Everything else is computed here.

export interface ServedFile { path: string; kind: 'robot' | 'arm' | 'part' | 'other' }

function address(path: string): string {
  const token = new URLSearchParams(location.search).get('token');
  return token === null ? path : `${path}?token=${encodeURIComponent(token)}`;
}

export async function servedFiles(): Promise<ServedFile[]> {
  const answer = await fetch(address('files.json'));
  return answer.ok ? ((await answer.json()) as ServedFile[]) : [];
}

export async function servedFile(path: string): Promise<Uint8Array | null> {
  const answer = await fetch(address(`files/${path.split('/').map(encodeURIComponent).join('/')}`));
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}

/** A mesh as the robot's file names it. */
export async function servedMesh(robot: string, uri: string): Promise<Uint8Array | null> {
  const token = new URLSearchParams(location.search).get('token');
  const answer = await fetch(`mesh?${new URLSearchParams({ robot, uri, ...(token === null ? {} : { token }) })}`);
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}

/** Tells when the server stops to answer, and when it answers again. */
export function watchServer(told: (alive: boolean) => void): void {
  let alive = true;
  setInterval(() => {
    fetch(address('alive')).then((answer) => answer.ok, () => false).then((now) => {
      if (now !== alive) told(now);
      alive = now;
    });
  }, 5000);
}
