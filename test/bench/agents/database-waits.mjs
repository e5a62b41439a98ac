// Samples what the busy backends of the database wait for. This separates a slow gateway from a slow disk.
const PERIOD_MS = 100;

/** Starts sampling; `stop` returns the mean number of backends per wait event, largest first. */
export function watchWaits(sql) {
  const seen = new Map();
  let samples = 0;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const { rows } = await sql.query(
        `select application_name || ': ' || coalesce(wait_event_type || '/' || wait_event, 'CPU') as wait from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state = 'active' or backend_type = 'checkpointer' and wait_event_type = 'IO'`,
      );
      samples += 1;
      for (const { wait } of rows) seen.set(wait, (seen.get(wait) ?? 0) + 1);
      await new Promise((later) => setTimeout(later, PERIOD_MS));
    }
  })();
  return async () => {
    isStopped = true;
    await watching;
    const means = [...seen].map(([wait, times]) => [wait, Number((times / samples).toFixed(2))]);
    return Object.fromEntries(means.sort((a, b) => b[1] - a[1]).slice(0, 6));
  };
}
