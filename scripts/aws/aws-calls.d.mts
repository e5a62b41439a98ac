export declare const CALLS_VARIABLE: string;
export declare const UNRECORDED: Record<string, string>;
export declare function differences(
  lines: readonly string[],
  policies: { operator: readonly string[]; customer: readonly string[] },
): string[];
export declare function compareCalls(file: string): Promise<number>;
