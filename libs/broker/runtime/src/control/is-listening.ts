import { connect } from 'node:net';

/** Whether a process listens on a unix socket. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    // Anything but these says that a process is there, and only cannot take one more at this moment.
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(!['ECONNREFUSED', 'ENOENT'].includes(code ?? '')),
    );
  });
}
