export declare function machineHost(folder?: string): { root: string; nspawn: string };
