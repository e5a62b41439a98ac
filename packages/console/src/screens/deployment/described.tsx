interface DescribedProps {
  name: string;
  remarks: string | null;
}

/** A name with the remarks of a person below. */
export const Described = ({ name, remarks }: DescribedProps) => (
  <>
    <bdi>{name}</bdi>
    {remarks !== null && (
      <div>
        <small>
          <bdi>{remarks}</bdi>
        </small>
      </div>
    )}
  </>
);
