/** Runs `work` while no other process holds the lock, which is a file. */
export declare function withLock<T>(lock: string, work: () => Promise<T>): Promise<T>;
