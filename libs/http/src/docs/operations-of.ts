import type { OpenAPIObject } from '@nestjs/swagger';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** One operation of a description, as far as a reader needs it. */
export interface DescribedOperation<T> {
  path: string;
  method: (typeof METHODS)[number];
  operation: T;
}

/** Every operation of a description, in the order of its paths. */
export function operationsOf<T extends { operationId: string }>(document: OpenAPIObject): DescribedOperation<T>[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as unknown as T | undefined;
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}
