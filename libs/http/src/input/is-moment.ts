import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, IsOptional } from 'class-validator';

/** A date, or a date and a time with any precision, with or without an offset. Without an offset the time is UTC. */
const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

// No record is older or newer. At the ends of its calendar the database cannot store a time after an offset or a day is
// subtracted.
const EARLIEST = Date.parse('1900-01-01T00:00:00Z');
const LATEST = Date.parse('2999-12-31T23:59:59.999Z');

/**
 * A moment in a query, as a Date. Refuses another form. A moment before 1900 or after 2999 becomes the start or the end
 * of this range.
 */
export const IsMoment = (description: string): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? readMoment(value) : value)),
    IsDate({ message: 'must be a date of ISO 8601, as 2026-01-31 or 2026-01-31T08:00:00.000Z' }),
    ApiProperty({ type: 'string', format: 'date-time', required: false, description }),
  );

/** A `+` in a query without escaping arrives as a space. A text that is not a moment is unchanged, and the rule refuses it. */
function readMoment(text: string): Date | string {
  const [, day = '', time = '00:00', offset = 'Z'] = ISO_8601.exec(text.replace(/ (?=\d{2}:?\d{2}$)/, '+')) ?? [];
  if (day < '0001' || !isDay(day)) return text;
  const moment = new Date(`${day}T${time}${offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`).getTime();
  return Number.isNaN(moment) ? text : new Date(Math.min(Math.max(moment, EARLIEST), LATEST));
}

/** Without this check, 30 February would become a day of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
