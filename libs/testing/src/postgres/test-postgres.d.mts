export declare const DIRECTORY_VARIABLE: string;
export declare function openTestPostgres(): string;
export declare function removeTestPostgres(directory: string): Promise<void>;
export declare function removeLeftovers(): Promise<void>;
