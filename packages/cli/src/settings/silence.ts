/** A stream of events is quiet for 15 seconds at most: then the server sends a sign of life. */
const LONGEST_SILENCE_MS = 20_000;

let heardAt = performance.now();

/** A server has sent something. */
export function noteAnswer(): void {
  heardAt = performance.now();
}

/** Calls `say` once when no server has sent anything for 20 seconds, and again after an answer. Returns how to end it. */
export function watchSilence(say: () => void): () => void {
  let saidAt = 0;
  noteAnswer();
  const timer = setInterval(() => {
    if (performance.now() - heardAt < LONGEST_SILENCE_MS || saidAt >= heardAt) return;
    saidAt = performance.now();
    say();
  }, 1_000);
  return () => clearInterval(timer);
}
