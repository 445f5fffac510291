// What is checked of the bot's traffic, named for the Python side. The generator turns each exported
// alias into one definition of a draft-07 JSON schema. Blocks are named apart from the methods because
// Slack's own argument types also allow any {type} as a block.
import type * as Types from "@slack/types";
import type * as Api from "@slack/web-api";

export type OracleBlock = Types.KnownBlock;
export type OracleChunk = Types.AnyChunk;
export type OracleView = Types.View;
export type OracleAttachment = Types.MessageAttachment;

export type Method_chat_postMessage = Api.ChatPostMessageArguments;
export type Method_chat_postEphemeral = Api.ChatPostEphemeralArguments;
export type Method_chat_update = Api.ChatUpdateArguments;
export type Method_chat_delete = Api.ChatDeleteArguments;
export type Method_chat_getPermalink = Api.ChatGetPermalinkArguments;
export type Method_chat_startStream = Api.ChatStartStreamArguments;
export type Method_chat_appendStream = Api.ChatAppendStreamArguments;
export type Method_chat_stopStream = Api.ChatStopStreamArguments;
export type Method_assistant_threads_setStatus = Api.AssistantThreadsSetStatusArguments;
export type Method_assistant_threads_setSuggestedPrompts = Api.AssistantThreadsSetSuggestedPromptsArguments;
export type Method_assistant_threads_setTitle = Api.AssistantThreadsSetTitleArguments;
export type Method_agents_sessions_setStatus = Api.AgentsSessionsSetStatusArguments;
export type Method_agents_sessions_rename = Api.AgentsSessionsRenameArguments;
export type Method_views_open = Api.ViewsOpenArguments;
export type Method_views_push = Api.ViewsPushArguments;
export type Method_views_update = Api.ViewsUpdateArguments;
export type Method_views_publish = Api.ViewsPublishArguments;
export type Method_conversations_replies = Api.ConversationsRepliesArguments;
export type Method_conversations_history = Api.ConversationsHistoryArguments;
export type Method_conversations_info = Api.ConversationsInfoArguments;
export type Method_conversations_members = Api.ConversationsMembersArguments;
export type Method_conversations_open = Api.ConversationsOpenArguments;
export type Method_conversations_join = Api.ConversationsJoinArguments;
export type Method_conversations_list = Api.ConversationsListArguments;
export type Method_users_conversations = Api.UsersConversationsArguments;
export type Method_users_info = Api.UsersInfoArguments;
export type Method_users_lookupByEmail = Api.UsersLookupByEmailArguments;
export type Method_reactions_add = Api.ReactionsAddArguments;
export type Method_reactions_remove = Api.ReactionsRemoveArguments;
export type Method_files_info = Api.FilesInfoArguments;

export type Event_app_mention = Types.AppMentionEvent;
export type Event_message = Types.AllMessageEvents;
export type Event_app_home_opened = Types.AppHomeOpenedEvent;
export type Event_app_context_changed = Types.AppContextChangedEvent;
export type Event_app_uninstalled = Types.AppUninstalledEvent;
export type Event_tokens_revoked = Types.TokensRevokedEvent;
export type Event_assistant_thread_started = Types.AssistantThreadStartedEvent;
export type Event_assistant_thread_context_changed = Types.AssistantThreadContextChangedEvent;
export type Event_agent_session_stopped = Types.AgentSessionStoppedEvent;
export type Event_agent_session_title_changed = Types.AgentSessionTitleChangedEvent;
export type Event_reaction_added = Types.ReactionAddedEvent;
export type Event_reaction_removed = Types.ReactionRemovedEvent;
export type Event_member_joined_channel = Types.MemberJoinedChannelEvent;
export type Event_member_left_channel = Types.MemberLeftChannelEvent;
export type Event_file_shared = Types.FileSharedEvent;
export type Event_user_change = Types.UserChangeEvent;
export type Event_channel_shared = Types.ChannelSharedEvent;
export type Event_channel_unshared = Types.ChannelUnsharedEvent;
