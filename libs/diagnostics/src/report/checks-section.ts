import type { Assessment, CheckResult, Health } from '../checks/assess.js';
import { VERDICTS, type Verdict } from '../checks/check.js';
import { countText } from '../quantity.js';
import { markup, type Markup } from './markup.js';

const VERDICT_WORDS: Record<Verdict, string> = { bad: 'Bad', warn: 'Warning', unknown: 'Unknown', ok: 'OK' };
const VERDICT_SIGNS: Record<Verdict, string> = { bad: '✕', warn: '!', unknown: '?', ok: '✓' };
const HEALTH_WORDS: Record<Health, string> = {
  healthy: 'Healthy',
  attention: 'Needs attention',
  trouble: 'Has problems',
};

/** The verdict in one line, for readers who stop here. */
export function verdictBanner({ health, counts, results }: Assessment): Markup {
  const [worst] = results;
  const words = VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) =>
    verdict === 'warn' ? countText(counts.warn, 'warning') : `${counts[verdict]} ${verdict}`,
  );
  const first =
    health === 'healthy' || !worst
      ? null
      : markup`<p class="first">Most important check: ${worst.name}. Result: ${worst.seen}</p>`;
  return markup`<div class="verdict ${health}" id="verdict">
    <p class="word">${HEALTH_WORDS[health]}</p>
    <p>${countText(results.length, 'check')}: ${words.join(', ')}.</p>${first}
  </div>`;
}

/** All checks, the worst first, with a filter by verdict. */
export function checksSection({ results, counts }: Assessment): Markup {
  const filters = VERDICTS.map(
    (verdict) =>
      markup`<label class="chip"><input type="checkbox" data-verdict="${verdict}" checked> ${VERDICT_WORDS[verdict]} (${counts[verdict]})</label>`,
  );
  return markup`<section id="checks" aria-labelledby="checks-title">
    <h2 id="checks-title">Checks</h2>
    <fieldset class="chips needs-script"><legend>Show</legend>${filters}</fieldset>
    <table class="checks"><caption class="hidden">Checks, worst result first</caption>
      <thead><tr><th scope="col">Verdict</th><th scope="col">Check</th><th scope="col">Result and advice</th></tr></thead>
      <tbody>${results.map(toRow)}</tbody>
    </table>
  </section>`;
}

const toRow = ({ id, group, name, verdict, seen, advice }: CheckResult): Markup =>
  markup`<tr data-check="${id}" data-verdict="${verdict}">
    <td><span class="badge ${verdict}"><span aria-hidden="true">${VERDICT_SIGNS[verdict]}</span> ${VERDICT_WORDS[verdict]}</span></td>
    <th scope="row">${name}<small>${group}</small></th>
    <td>${seen}${advice === null ? null : markup`<small>${advice}</small>`}</td>
  </tr>`;
