export declare function lostSteps(before: string, after: string): string[];
