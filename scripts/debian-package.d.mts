/** Folder of the packages: in `LANDLORD_DATA_DIR`, else in `.landlord` of the checkout. */
export declare function packagesFolder(environment?: NodeJS.ProcessEnv): string;
/** The package is unavailable on this machine; the message contains the reason and what to do. */
export declare class PackageUnavailable extends Error {}
/** Downloads a package unless it exists. @throws PackageUnavailable */
export declare function fetchPackage(
  name: string,
  folder?: string,
): { folder: string; version: string; binaries: string[]; libraries: string[]; isNew: boolean };
