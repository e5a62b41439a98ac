import styles from './field.module.css';

interface CheckboxProps {
  label: string;
  name: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

export const Checkbox = ({ label, name, isChecked, onChange }: CheckboxProps) => (
  <label className={styles['checkbox']}>
    <input type="checkbox" name={name} checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);
