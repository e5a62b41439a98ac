/** The slow tests by area (parts.mjs). */
export declare const WORLDS: Record<string, { roots: string[]; smoke: string }>;
