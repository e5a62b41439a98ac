/**
 * Reads the parts of an answer at the same time. A part that cannot be read is named in `missing`, such as those of a Supervisor that
 * does not answer.
 * @throws the error of the first part, when no part can be read
 */
export async function partsOf(parts: Readonly<Record<string, PromiseLike<unknown>>>): Promise<Record<string, unknown>> {
  const names = Object.keys(parts);
  const settled = await Promise.allSettled(Object.values(parts));
  const values: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const [at, one] of settled.entries()) {
    const name = names[at] ?? '';
    if (one.status === 'fulfilled') values[name] = one.value;
    else missing.push(`${name}: ${(one.reason as Error).message}`);
  }
  const [first] = settled;
  if (first?.status === 'rejected' && missing.length === names.length) throw first.reason;
  return { ...values, missing };
}
