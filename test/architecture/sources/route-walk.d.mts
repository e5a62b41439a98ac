type Constructor = new (...args: never[]) => object;

/** One route of an app. */
export interface Route {
  method: string;
  /** With a leading slash and `:params`. */
  path: string;
  controller: Constructor;
  /** Name of the handler method. */
  name: string;
  handler: (...args: never[]) => unknown;
}

export declare function routesOf(rootModule: object): Route[];
export declare function controllersOf(rootModule: object): Set<Constructor>;
export declare function providersOf(rootModule: object): Set<Constructor>;
