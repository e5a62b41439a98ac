/** What the address of the page says. */
export interface NetworkSearch {
  /** The peering whose next steps are open. */
  peering?: number;
  /** The service attachment whose next steps and connections are open. */
  attachment?: number;
}

export function searchOfNetwork(search: Record<string, unknown>): NetworkSearch {
  const [peering, attachment] = [Number(search['peering']), Number(search['attachment'])];
  const isId = (number: number): boolean => Number.isSafeInteger(number) && number > 0;
  return { ...(isId(peering) && { peering }), ...(isId(attachment) && { attachment }) };
}
