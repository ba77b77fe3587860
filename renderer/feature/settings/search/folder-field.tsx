import { Button, TextInput } from '@mantine/core';
import { useModel } from '../../../store/model-context.tsx';
import classes from './search-page.module.css';

interface FolderFieldProps {
  readonly folder: string;
  readonly wrong: string | undefined;
  readonly onChange: (folder: string) => void;
}

/** A folder with a model in it, typed or chosen. */
export function FolderField({ folder, wrong, onChange }: FolderFieldProps) {
  const { link } = useModel();
  async function choose(): Promise<void> {
    const title = 'Which folder holds the model?';
    const answer = await link.call('import.choosePath', { kind: 'folder', title });
    if (answer.ok && answer.value.path !== undefined) onChange(answer.value.path);
  }
  return (
    <div className={classes.folder}>
      <TextInput
        label="Folder"
        description="With model.onnx, or onnx/model.onnx, and tokenizer.json: a model for sentence embeddings as it is found on Hugging Face."
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
