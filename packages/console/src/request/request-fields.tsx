import { Checkbox } from '../ui/form/checkbox.js';
import { Checkboxes } from '../ui/form/checkboxes.js';
import { SelectField, TextArea, TextField, type Choice } from '../ui/form/field.js';
import { labelOf } from './label.js';
import { choiceWords, noneOf } from './no-choice.js';
import styles from './request.module.css';
import type { MemberShape } from './shape.js';
import type { Value, Values } from './values.js';

/** What a page knows better than the OpenAPI document. */
export interface OwnField {
  label?: string;
  hint?: string;
  /** The ids or names that exist, with words for people. */
  choices?: readonly Choice[];
  /** Whether the field is shown, and its value sent, with these values of the others. */
  when?: (values: Values) => boolean;
  /** The text of the choice that gives nothing. Null: there is no such choice once there is a value. */
  none?: string | null;
  isSecret?: boolean;
  /** The kind of the value, where the document allows several. */
  kind?: MemberShape['kind'];
  /** Whether this request needs the member, which the document calls optional. */
  isRequired?: boolean;
  isMultiline?: boolean;
  /** The title of the group of fields that the field belongs to. */
  section?: string;
}
export type OwnFields = Readonly<Record<string, OwnField>>;

interface RequestFieldsProps {
  members: readonly MemberShape[];
  own: OwnFields;
  values: Values;
  issues: Readonly<Record<string, string>>;
  onChange: (changed: Values) => void;
}

/** More fields than this are shown when their section is opened. */
const MOST_OPEN = 12;

/** A field for each member of the request, in sections where the page names some. */
export function RequestFields(props: RequestFieldsProps) {
  const titleOf = ({ member }: MemberShape): string => props.own[member]?.section ?? '';
  const titles = [...new Set(props.members.map(titleOf))];
  return titles.map((title) => {
    const fields = <Fields {...props} members={props.members.filter((one) => titleOf(one) === title)} />;
    if (title === '') return <div key={title}>{fields}</div>;
    const isRefused = props.members.some((one) => titleOf(one) === title && one.member in props.issues);
    return (
      <details key={title} className={styles['section']} open={isRefused || props.members.length <= MOST_OPEN}>
        <summary>{title}</summary>
        {fields}
      </details>
    );
  });
}

const Fields = ({ members, own, values, issues, onChange }: RequestFieldsProps) =>
  members.map((shape) => (
    <RequestField
      key={shape.member}
      shape={shape}
      own={own[shape.member] ?? {}}
      value={values[shape.member] ?? ''}
      issue={issues[shape.member] ?? outerIssueOf(shape, issues)}
      onChange={(value) => onChange({ [shape.member]: value })}
    />
  ));

/** A reason that names a whole object is shown at each of its members. */
function outerIssueOf({ member }: MemberShape, issues: Readonly<Record<string, string>>): string | undefined {
  const outer = member.split('.')[0] ?? member;
  return Object.keys(issues).some((name) => name.startsWith(`${outer}.`)) ? undefined : issues[outer];
}

interface RequestFieldProps {
  shape: MemberShape;
  own: OwnField;
  value: Value;
  issue: string | undefined;
  onChange: (value: Value) => void;
}

/** The kind of the field follows from the kind of the member. */
function RequestField({ shape, own, value, issue, onChange }: RequestFieldProps) {
  const { member, kind } = shape;
  const common = { label: own.label ?? labelOf(member), name: member, hint: own.hint ?? hintOf(shape, own), issue };
  const choices = own.choices ?? choicesOf(shape);
  if (kind === 'flag' && !choices) return <Checkbox {...common} isChecked={value === true} onChange={onChange} />;
  if (choices && isList(kind))
    return <Checkboxes {...common} choices={choices} chosen={Array.isArray(value) ? value : []} onChange={onChange} />;
  const text = { ...common, value: typeof value === 'string' ? value : '', onChange };
  if (choices) return <SelectField {...text} choices={withNone(choices, shape, text.value, own.none)} />;
  if (isLong(shape, own)) return <TextArea {...text} isCode={kind === 'json'} />;
  return <LineField shape={shape} text={text} />;
}

/** A text that only repeats the name of the member helps nobody. */
function hintOf({ member, text }: MemberShape, { label = labelOf(member) }: OwnField): string {
  const words = text.replace(/[.:]+$/, '').toLowerCase();
  return words === label.toLowerCase() || words === `the ${label.toLowerCase()}` ? '' : text;
}

const choicesOf = ({ choices }: MemberShape): readonly Choice[] | undefined =>
  choices?.map((one) => ({ value: String(one), label: choiceWords(String(one)) }));
const isLong = ({ kind }: MemberShape, { isMultiline }: OwnField): boolean =>
  isMultiline === true || kind === 'json' || isList(kind);
const isList = (kind: MemberShape['kind']): boolean => kind === 'texts' || kind === 'numbers';

/** A choice that has a value and must have one cannot be taken back. */
function withNone(
  choices: readonly Choice[],
  shape: MemberShape,
  value: string,
  none: string | null = noneOf(shape),
): readonly Choice[] {
  if ((shape.required === true || none === null) && value !== '') return choices;
  return [{ value: '', label: none ?? 'Choose' }, ...choices];
}

interface LineFieldProps {
  shape: MemberShape;
  text: {
    label: string;
    name: string;
    hint: string;
    issue: string | undefined;
    value: string;
    onChange: (value: string) => void;
  };
}

function LineField({ shape: { secret, format, kind, longest, required }, text }: LineFieldProps) {
  const type = secret === true ? 'password' : format === 'email' ? 'email' : 'text';
  return (
    <TextField
      {...text}
      type={type}
      {...(kind === 'number' && { inputMode: 'numeric' as const })}
      maxLength={longest}
      required={required === true}
      autoComplete="off"
    />
  );
}
