/** Bundles the command line into the directory, which is emptied first. Its program is `main.js`. */
export function bundleCli(outdir: string, commit?: string): Promise<string[]>;
