import type { ImportedTask } from '../core/imported.js'

/** A task of which nothing is known but its id. */
export function plainTask(task_id: string): ImportedTask {
  return {
    record: 'task',
    task_id,
    parent_task_id: null,
    goal: null,
    status: 'running',
    status_reason: null,
    agent: null,
    thread: null,
    workspace: null,
    labels: {},
    deadline_at: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    created_at: null,
    closed_at: null,
  }
}
