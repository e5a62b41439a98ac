/** The requests of the provider itself, of each resource and of each data source. */
export declare function readOperations(): {
  provider: string[];
  resources: Record<string, string[]>;
  dataSources: Record<string, string[]>;
};
/** The Go file with the texts of the API descriptions, before gofmt. */
export declare function textsFile(): string;
export declare const PROVIDER: string;
export declare const TEXTS: string;
