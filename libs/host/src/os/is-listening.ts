import { connect } from 'node:net';

/** Whether a process listens on a unix socket. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    // All other errors mean that a process listens, but cannot accept a connection at the moment.
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(!['ECONNREFUSED', 'ENOENT'].includes(code ?? '')),
    );
  });
}
