export declare class Untestable extends Error {}
export declare class NotInstallable extends Untestable {}
export declare function makeOldCheckout(commit: string, checkout: string): Promise<void>;
