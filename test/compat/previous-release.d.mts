/** A tag or a commit, which can be the previous commit. */
export declare function previousRelease(root?: string): string | null;
/** A tag or a commit. */
export declare function releaseBefore(root?: string): string | null;
export declare function commitOf(ref: string, root?: string): string | null;
export declare function fileAt(ref: string, path: string, root?: string): string | null;
