/** The slow tests by their worlds (parts.mjs). */
export declare const WORLDS: Record<string, { roots: string[]; smoke: string }>;
