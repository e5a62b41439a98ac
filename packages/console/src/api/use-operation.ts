import type { Main } from '@landlord/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { landlordOf } from './client.js';
import { operationQuery } from './queries.js';

const ENDED: readonly Main.OperationView['status'][] = ['succeeded', 'failed', 'cancelled'];
/** Events come faster than people read. */
const PAUSE_MS = 250;

/** An operation that changes on the screen as it goes on. Null: none. The stream is taken up again after a reload. */
export function useOperation(tenantId: number, operationId: number | null): Main.OperationView | undefined {
  const queries = useQueryClient();
  const { data } = useQuery({ ...operationQuery(tenantId, operationId ?? 0), enabled: operationId !== null });
  const hasEnded = data !== undefined && ENDED.includes(data.status);
  useEffect(() => {
    if (operationId === null || hasEnded) return;
    const leaving = new AbortController();
    const read = () => queries.invalidateQueries({ queryKey: operationQuery(tenantId, operationId).queryKey });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onEvent = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void read();
      }, PAUSE_MS);
    };
    landlordOf(tenantId)
      .operation(operationId)
      .wait({ signal: leaving.signal, onEvent })
      // A failed operation is shown as every other one. Without a connection, the query shows what is known.
      .catch(() => undefined)
      .finally(() => {
        if (!leaving.signal.aborted) void read();
      });
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [tenantId, operationId, hasEnded, queries]);
  useAtEnd(operationId, hasEnded, () => queries.invalidateQueries({ queryKey: ['tenant', tenantId] }));
  return operationId === null ? undefined : data;
}

/** The work of an operation changes what other queries know, so they are read again once at its end. */
function useAtEnd(operationId: number | null, hasEnded: boolean, act: () => unknown): void {
  const running = useRef<number | null>(null);
  useEffect(() => {
    if (!hasEnded) running.current = operationId;
    if (!hasEnded || operationId === null || running.current !== operationId) return;
    running.current = null;
    act();
  });
}
