/** The form of a version. */
export declare const VERSION: RegExp;
/** Every copy of the version in the files that git has. */
export declare function copies(): { path: string; line: number | null; version: string }[];
/** Every line that contains this version, copy or not. */
export declare function occurrences(version: string): { path: string; line: number }[];
