import { METRIC_STEP_SECONDS, RAW_METRIC_HOURS, validationFailed } from '@libs/domain';
import type { MetricSeriesQuery } from './dto/metric-series.query.js';

/** The window and the step of a series. */
export interface SeriesWindow {
  from: Date;
  to: Date;
  stepSeconds: number;
}

const HOUR_MS = 3_600_000;
/** Maximum points with the automatic step, and with a step of the caller. */
const FEW_POINTS = 500;
const MOST_POINTS = 2_000;
const ROUND_STEPS = [60, 300, 900, 3_600, 21_600, 86_400, 604_800];

/**
 * Reads the window of a query. The step is never smaller than the stored step of the oldest part.
 * @throws DomainError validation_failed
 */
export function seriesWindow({ from, to, step }: MetricSeriesQuery, nowMs: number): SeriesWindow {
  const until = to ?? new Date(nowMs);
  const since = from ?? new Date(until.getTime() - HOUR_MS);
  if (since >= until) throw validationFailed([{ path: '/from', code: 'is_before', reason: 'must be before `to`' }]);
  const seconds = (until.getTime() - since.getTime()) / 1000;
  const isOld = since.getTime() < nowMs - RAW_METRIC_HOURS * HOUR_MS;
  const finest = isOld ? METRIC_STEP_SECONDS.rolledUp : METRIC_STEP_SECONDS.raw;
  const stepSeconds = step ?? ROUND_STEPS.find((round) => round >= finest && seconds / round <= FEW_POINTS);
  const window = { from: since, to: until, stepSeconds: Math.max(finest, stepSeconds ?? Infinity) };
  if (seconds / window.stepSeconds <= MOST_POINTS && Number.isFinite(window.stepSeconds)) return window;
  throw validationFailed([
    { path: '/step', code: 'too_many_points', reason: `gives more than ${MOST_POINTS} points: choose a longer step` },
  ]);
}
