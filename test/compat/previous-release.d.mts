export declare function previousRelease(root?: string): string | null;
export declare function commitOf(ref: string, root?: string): string | null;
export declare function fileAt(ref: string, path: string, root?: string): string | null;
