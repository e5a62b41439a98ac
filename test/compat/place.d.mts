export interface Place {
  directory: string;
  checkout: string;
  temporary: string;
  log: string;
}
export declare function openPlace(): Promise<Place>;
export declare function removePlace(directory: string): Promise<void>;
export declare function processesOf(directory: string): { pid: number; command: string }[];
