/** The slow tests by area (worlds.mjs). */
export declare const WORLDS: Record<string, { roots: string[]; smoke: string | string[] }>;
