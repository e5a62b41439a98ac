import { useNavigate } from '@tanstack/react-router';
import { wordsOf } from '../text/states.js';
import styles from './filters.module.css';
import { readPage, type PageSearch } from './pages.js';
import { SelectField, TextField, type Choice } from '../form/field.js';

export interface Filter {
  /** The member of the search. */
  name: string;
  label: string;
  /** Without choices, a person types a text or a day. */
  choices?: readonly Choice[];
  /** Whether one of the choices is always chosen. */
  isRequired?: boolean;
  /** The text for no choice. */
  none?: string;
  type?: 'text' | 'date';
  /** The most letters that the API takes. */
  longest?: number;
}

interface FiltersProps {
  fields: readonly Filter[];
  values: Readonly<Record<string, string | number | undefined>>;
}

/** The filters of a list. They are in the address. Another filter begins at the first page. */
export function Filters({ fields, values }: FiltersProps) {
  const navigate = useNavigate();
  const set = (name: string, value: string, isTyped: boolean): void => {
    const others = Object.entries(values).filter(([one, other]) => one !== name && other !== undefined);
    const search = Object.fromEntries([...others, ...(value === '' ? [] : [[name, value]])]) as object;
    // Each letter is no place to go back to.
    void navigate({ to: '.', search: search as never, replace: isTyped });
  };
  return (
    <div className={styles['filters']}>
      {fields.map(({ name, label, choices, isRequired = false, none = 'All', type = 'text', longest }) => {
        const value = String(values[name] ?? '');
        return choices ? (
          <SelectField
            key={name}
            {...{ label, name, value }}
            onChange={(next) => set(name, next, false)}
            choices={isRequired ? choices : [{ value: '', label: none }, ...choices]}
          />
        ) : (
          <TextField
            key={name}
            {...{ label, name, value, type }}
            maxLength={longest}
            onChange={(next) => set(name, next, true)}
          />
        );
      })}
    </div>
  );
}

/** Values of the API as choices. */
export const choicesOf = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: wordsOf(value) }));

/** The members of a search that are texts of a list of values, of days, or any text. */
export function readFilter<Name extends string>(
  search: Record<string, unknown>,
  allowed: Readonly<Record<Name, readonly string[] | RegExp>>,
): { [Key in Name]?: string } {
  const given = (Object.entries(allowed) as [Name, readonly string[] | RegExp][]).flatMap(([name, values]) => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || text === '') return [];
    return (values instanceof RegExp ? values.test(text) : values.includes(text)) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(given) as { [Key in Name]?: string };
}

/** The search of a list with pages and a filter. */
export const searchOf =
  <Name extends string>(allowed: Readonly<Record<Name, readonly string[] | RegExp>>) =>
  (search: Record<string, unknown>): PageSearch & { [Key in Name]?: string } => ({
    ...readPage(search),
    ...readFilter(search, allowed),
  });

/** The members of a search that are ids. */
export function readIds<Name extends string>(
  search: Record<string, unknown>,
  ...names: Name[]
): { [Key in Name]?: number } {
  const ids = names.map((name) => [name, Number(search[name])] as const);
  const valid = ids.filter(([, id]) => Number.isSafeInteger(id) && id > 0);
  return Object.fromEntries(valid) as { [Key in Name]?: number };
}

export const DAY = /^\d{4}-\d{2}-\d{2}$/;
export const ID = /^[1-9]\d{0,15}$/;
/** The names of things have at most so many letters. */
export const LONGEST = 100;
/** The keys of regions have at most so many letters. */
export const LONGEST_REGION = 64;
export const REGION = new RegExp(`^.{1,${LONGEST_REGION}}$`, 's');
export const TEXT = new RegExp(`^.{1,${LONGEST}}$`, 's');
