import { ProblemError, type StreamEvent } from '@landlord/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { landlordOf } from '../../../api/client.js';
import { inputOf, logsQuery, type LogFilter, type LogLine } from '../../../api/queries/logs.js';
import { joined, lastArrived } from '../../../lib/log-lines.js';

/** Lines come faster than people read. */
const SHOWN_MS = 250;
/** After an error, the stream is opened again so often. */
const REOPEN_MS = 5_000;
const OPEN_RETRIES = 2;

/** The last lines, and new ones as they come. After a pause, the stream goes on after the last line that is known. */
export function useLogLines(tenantId: number, deploymentId: number, filter: LogFilter, isPaused: boolean) {
  const queries = useQueryClient();
  const options = logsQuery(tenantId, deploymentId, filter);
  const first = useQuery({
    ...options,
    // The lines of the last filter stay until the new ones are here, but not those of another deployment.
    placeholderData: (lines, query) => (query?.queryKey[3] === deploymentId ? lines : undefined),
  });
  const [lost, setLost] = useState<unknown>(null);
  const isFollowing = first.isSuccess && !first.isPlaceholderData && !isPaused;
  useEffect(() => {
    if (!isFollowing) return;
    const leaving = new AbortController();
    const add = (more: readonly LogLine[]): void => {
      queries.setQueryData(options.queryKey, (known: readonly LogLine[] = []) => joined(known, more));
    };
    const open = () => {
      const last = lastArrived(queries.getQueryData(options.queryKey) ?? []);
      const onResponse = ({ ok }: Response): void => {
        if (ok) setLost(null);
        // Without a last line, the stream starts now, and lines have come since the list was read.
        if (ok && last === undefined) void queries.invalidateQueries({ queryKey: options.queryKey });
      };
      return landlordOf(tenantId).logs.stream(
        { deployment_id: deploymentId, ...inputOf(filter) },
        {
          ...{ signal: leaving.signal, retries: OPEN_RETRIES, onResponse },
          ...(last !== undefined && { lastEventId: String(last) }),
        },
      );
    };
    void follow(open, add, setLost, leaving.signal);
    return () => leaving.abort();
    // The filter is a new object each time. Its members are here.
  }, [tenantId, deploymentId, JSON.stringify(filter), isFollowing]);
  return { lines: first.data, error: first.error ?? (isPaused ? null : lost), reload: () => void first.refetch() };
}

type Open = () => AsyncIterable<StreamEvent<LogLine>>;

/** Reads the stream until the person leaves. Lines are given on in portions. */
async function follow(
  open: Open,
  add: (lines: readonly LogLine[]) => void,
  onError: (error: unknown) => void,
  leaving: AbortSignal,
): Promise<void> {
  while (!leaving.aborted) {
    const portion = inPortions(add);
    try {
      for await (const { data } of open()) portion.add(data);
      return;
    } catch (error) {
      if (!leaving.aborted) onError(error);
      if (error instanceof ProblemError && !error.isRetryable) return;
    } finally {
      portion.end();
    }
    await pause(REOPEN_MS, leaving);
  }
}

/** Collects lines for a moment. */
function inPortions(add: (lines: readonly LogLine[]) => void) {
  let waiting: LogLine[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) add(waiting);
    waiting = [];
  };
  return {
    end,
    add: (line: LogLine): void => {
      waiting.push(line);
      timer ??= setTimeout(end, SHOWN_MS);
    },
  };
}

const pause = (ms: number, leaving: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    leaving.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
