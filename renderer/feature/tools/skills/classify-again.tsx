import { Button, Menu } from '@mantine/core';
import { ChevronDown, RotateCw } from 'lucide-react';
import { classifyAgain } from '../../../command/tool/skill-actions.ts';
import { useModel, useServers, useTitleOf } from '../../../store/model-context.tsx';
import classes from './skills.module.css';

/** Classifies tools again: those of all servers or of one. */
export function ClassifyAgain() {
  const model = useModel();
  const servers = useServers(({ order }) => order);
  const titleOf = useTitleOf();
  return (
    <Menu width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<RotateCw size={13} aria-hidden />}
          rightSection={<ChevronDown size={13} aria-hidden />}
        >
          Classify again
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        <Menu.Item onClick={() => void classifyAgain(model)}>Tools of all servers</Menu.Item>
        <Menu.Divider />
        {servers.map((key) => (
          <Menu.Item key={key} onClick={() => void classifyAgain(model, key)}>
            {titleOf(key)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
