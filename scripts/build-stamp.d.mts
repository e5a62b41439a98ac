/** The folder of the build. */
export declare const DIST: string;
