/** Whether the session of this tab has ended without a wish of the person. The person can sign in again over the page. */
let isEnded = false;
const listeners = new Set<() => void>();

export const endedSession = {
  read: (): boolean => isEnded,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  set: (next: boolean): void => {
    isEnded = next;
    for (const listener of listeners) listener();
  },
};
