import { Button } from '@mantine/core';
import { Download, ExternalLink, FileSearch, RotateCw, TerminalSquare } from 'lucide-react';
import { useState } from 'react';
import type { Cause } from '../../../../shared/error/cause.ts';
import { chooseServerFile } from '../../../command/server/choose-server-file.ts';
import { tryNowAction } from '../../../command/server/one-server.ts';
import { type InstallHelp, installHelp } from '../../../lib/server/install-help.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import classes from './cause-help.module.css';

/** Shows the button that fixes the cause, if there is one. */
export function CauseHelp({ serverKey, cause }: { serverKey: string; cause: Cause }) {
  const model = useModel();
  const { code, subject = '' } = cause;
  if (code === 'file_missing') {
    return (
      <Button
        leftSection={<FileSearch size={13} aria-hidden />}
        onClick={() => void chooseServerFile(model, serverKey, subject)}
      >
        Choose the file…
      </Button>
    );
  }
  if (code === 'program_missing' || code === 'program_outdated') {
    const help = installHelp(subject);
    return help === undefined ? null : (
      <InstallButton serverKey={serverKey} help={help} update={code === 'program_outdated'} />
    );
  }
  if (code === 'not_executable') {
    return (
      <CopyButton
        text={() => `chmod +x ${quoted(subject)}`}
        label="Copy the command chmod +x"
        words="Copy “chmod +x”"
      />
    );
  }
  if (code === 'image_not_found') {
    return (
      <CopyButton
        text={() => 'docker login'}
        label="Copy the command docker login"
        words="Copy “docker login”"
      />
    );
  }
  return null;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

interface InstallProps {
  readonly serverKey: string;
  readonly help: InstallHelp;
  readonly update: boolean;
}

function InstallButton({ serverKey, help, update }: InstallProps) {
  const [open, setOpen] = useState(false);
  const label = `${update ? 'Update' : 'Install'} ${help.title}`;
  return (
    <>
      <Button leftSection={<Download size={13} aria-hidden />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <InstallDialog serverKey={serverKey} help={help} title={label} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface InstallDialogProps extends Pick<InstallProps, 'serverKey' | 'help'> {
  readonly title: string;
  readonly onClose: () => void;
}

/** Lists commands that install a program, and its download page. Patchbay runs none of them. */
function InstallDialog({ serverKey, help, title, onClose }: InstallDialogProps) {
  const model = useModel();
  const openPage = () => void model.link.call('app.openExternal', { url: help.page });
  return (
    <Dialog title={title} onClose={onClose} size={560}>
      <div className={classes.body}>
        <p className="soft">Run one of these in a terminal, then try again.</p>
        <ul className={classes.commands}>
          {help.commands.map(({ system, command }) => (
            <li key={system}>
              <span className={classes.system}>
                <TerminalSquare size={13} aria-hidden /> {system}
              </span>
              <code>{command}</code>
              <CopyButton text={() => command} label={`Copy the command for ${system}`} />
            </li>
          ))}
        </ul>
      </div>
      <DialogFoot>
        <Button variant="default" leftSection={<ExternalLink size={13} aria-hidden />} onClick={openPage}>
          Open the download page
        </Button>
        <Button
          leftSection={<RotateCw size={13} aria-hidden />}
          onClick={() => {
            onClose();
            tryNowAction.run(model, serverKey);
          }}
        >
          {tryNowAction.title}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
