import { Button, TextInput } from '@mantine/core';
import { useModel } from '../../../store/model-context.tsx';
import classes from './search-page.module.css';

interface FolderFieldProps {
  readonly folder: string;
  readonly error: string | undefined;
  readonly onChange: (folder: string) => void;
}

/** Edits the path of a model folder, typed or chosen. */
export function FolderField({ folder, error: wrong, onChange }: FolderFieldProps) {
  const { link } = useModel();
  async function choose(): Promise<void> {
    const title = 'Choose the model folder';
    const answer = await link.call('import.choosePath', { kind: 'folder', title });
    if (answer.ok && answer.value.path !== undefined) onChange(answer.value.path);
  }
  return (
    <div className={classes.folder}>
      <TextInput
        label="Folder"
        description="A folder with model.onnx (or onnx/model.onnx) and tokenizer.json, such as a sentence embedding model from Hugging Face."
        value={folder}
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={folder === '' ? undefined : wrong}
      />
      <Button variant="default" onClick={() => void choose()}>
        Choose…
      </Button>
    </div>
  );
}
