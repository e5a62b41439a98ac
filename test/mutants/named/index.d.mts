/** The named mutants. Throws when the text of a mutant is not in its file, or occurs twice. */
export declare function namedMutants(): readonly { name: string; file: string; specs: readonly string[] }[];
