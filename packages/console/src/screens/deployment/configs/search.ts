/** What the address of the page says. */
export interface ConfigSearch {
  /** The version that is open. */
  version?: number;
  /** The version that the open one is compared with. */
  against?: number;
}

export function searchOfConfigs(search: Record<string, unknown>): ConfigSearch {
  const [version, against] = [Number(search['version']), Number(search['against'])];
  const isVersion = (number: number): boolean => Number.isSafeInteger(number) && number > 0;
  if (!isVersion(version)) return {};
  return { version, ...(isVersion(against) && against !== version && { against }) };
}
