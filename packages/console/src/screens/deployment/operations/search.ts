/** What the address of the page says. */
export interface OperationSearch {
  page?: number;
  /** The operation that is open. */
  operation?: number;
}

export function searchOfOperations(search: Record<string, unknown>): OperationSearch {
  const [page, operation] = [Number(search['page']), Number(search['operation'])];
  return {
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(Number.isSafeInteger(operation) && operation > 0 && { operation }),
  };
}
