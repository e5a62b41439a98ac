/** Folder of the packages: in `LANDLORD_DATA_DIR`, else in `.landlord` of the checkout. */
export declare function packagesFolder(environment?: NodeJS.ProcessEnv): string;
