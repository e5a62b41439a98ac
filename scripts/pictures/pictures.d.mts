export function makePictures(): Promise<Record<string, string>>;
