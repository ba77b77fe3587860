import { z } from '@hono/zod-openapi';
import type { ApprovalRequest } from '../../../../shared/model/access/access.ts';
import type { ApiPorts } from '../contract.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import { approvalAnswerBody, approvalParam, approvalSchema } from '../schema/approval.ts';
import type { ApiApp } from './api-app.ts';
import { time } from './server-answer.ts';

const about = { tags: ['approvals'], middleware: admin };

const listRoute = defineRoute({
  ...about,
  method: 'get',
  path: '/api/v1/approvals',
  summary: 'Calls that wait for approval.',
  responses: { 200: jsonAnswer('The calls, oldest first.', z.array(approvalSchema)) },
});
const answerRoute = defineRoute({
  ...about,
  method: 'post',
  path: '/api/v1/approvals/{id}',
  summary: 'Approves or denies a waiting call.',
  request: { params: approvalParam, body: jsonBody(approvalAnswerBody) },
  errors: [404, 422],
  responses: { 204: { description: 'Answered.' } },
});

/** Routes for approvals, for hubs without a window. */
export function approvalRoutes(app: ApiApp, { hub }: ApiPorts): void {
  app.openapi(listRoute, (context) => context.json(hub.approvals().map(approvalAnswer), 200));
  app.openapi(answerRoute, async (context) => {
    const { id } = context.req.valid('param');
    await hub.run('access.answer', { approvalId: id, answer: context.req.valid('json').answer });
    return context.body(null, 204);
  });
}

function approvalAnswer(request: ApprovalRequest) {
  const { id, identityId, clientName, serverKey, tool, risk, argumentsText, askedAt, expiresAt } = request;
  return {
    id,
    agent_id: identityId,
    agent_name: clientName,
    server_id: serverKey,
    tool_name: tool,
    risk,
    arguments_text: argumentsText,
    asked_at: time(askedAt),
    expires_at: time(expiresAt),
    behind: request.behind,
  };
}
