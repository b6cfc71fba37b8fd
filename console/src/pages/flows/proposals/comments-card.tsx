import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client';
import { queryClient } from '../../../api/query-client';
import { useCan } from '../../../api/session';
import { useList } from '../../../api/use-list';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { TextArea } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { PageLoading } from '../../../ui/loading';
import { ProblemNotice } from '../../../ui/problem-notice';
import { StepBy } from '../../../ui/step-by';

const PATH = '/flows/{id}/versions/{version}/comments';
const MAX_COMMENT = 2_000;

interface Props {
  flowId: number;
  version: number;
}

/** The comments on a version, newest first, and a field for another one. */
export function CommentsCard({ flowId, version }: Props) {
  const path = { id: flowId, version };
  const list = useList(PATH, { path });
  useLiveRefresh([PATH, path], { concerns: () => false });
  return (
    <Card title="Comments">
      <CommentField flowId={flowId} version={version} />
      <ProblemNotice error={list.error} retry={() => void list.refetch()} />
      {!list.rows && !list.error && <PageLoading />}
      {list.rows?.length === 0 && <p className="muted">No comments yet.</p>}
      <ol className="comments">
        {list.rows?.map(({ id, by, at, comment }) => (
          <li key={id}>
            <StepBy at={at} by={by} />
            <p className="comment">
              <bdi>{comment}</bdi>
            </p>
          </li>
        ))}
      </ol>
      {list.hasNextPage && (
        <div className="more">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

function CommentField({ flowId, version }: Props) {
  const [comment, setComment] = useState('');
  const mayWrite = useCan('flows:write');
  const mayActivate = useCan('flows:activate');
  const params = { path: { id: flowId, version } };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.post(PATH, { params, body: { comment: comment.trim() } }),
    onSuccess: async () => {
      setComment('');
      await queryClient.invalidateQueries({ queryKey: [PATH] });
    },
  });
  if (!mayWrite && !mayActivate) return null;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (comment.trim() !== '') mutate();
  };
  const message = fieldError(error, 'comment');
  return (
    <form className="stack screen-only" onSubmit={send}>
      <TextArea
        label="Your comment"
        rows={2}
        maxLength={MAX_COMMENT}
        value={comment}
        error={message}
        onChange={({ target }) => setComment(target.value)}
      />
      {message === undefined && <ProblemNotice error={error} />}
      <div className="actions">
        <Button type="submit" isBusy={isPending}>
          Comment
        </Button>
      </div>
    </form>
  );
}
