import { useStore } from 'zustand/react';
import { closeTool } from '../../command/navigate.ts';
import { useModel, useView } from '../../store/model-context.tsx';
import { ToolPage } from '../../ui/tool/tool-page.tsx';

/** Returns the page of the open tool as the detail of a split view, while the tool is offered. */
export function useOpenTool() {
  const model = useModel();
  const ref = useView(({ place }) => place.tool);
  const open = useStore(model.mirrors.tools, (tools) =>
    tools[ref?.serverKey ?? '']?.find((tool) => tool.name === ref?.name),
  );
  if (open === undefined) return {};
  const key = `${open.serverKey}:${open.name}`;
  return { detail: <ToolPage key={key} tool={open} onClose={() => closeTool(model)} /> };
}
