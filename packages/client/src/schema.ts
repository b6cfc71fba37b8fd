// Generated from docs/openapi.json by `npm run client:generate`: do not change it by hand.

export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the process runs; use it to decide on a restart
         * @description Answers 200 without looking at the database.
         */
        get: operations["Health_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the process can work now; use it to decide on sending it requests
         * @description Looks at the database and the queue. 503: send no requests to this process.
         */
        get: operations["Health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of this process for Prometheus
         * @description In the text format of Prometheus; times in seconds. With `METRICS_TOKEN`, the token is needed.
         */
        get: operations["Metrics_render"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people and programs, newest first
         * @description Including revoked ones.
         */
        get: operations["Clients_list"];
        put?: never;
        /**
         * Add a person or a program
         * @description The secret is only in this answer. Takes only clients with rights that the caller has as well, and gives no others: 403 otherwise.
         */
        post: operations["Clients_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a client
         * @description A person or a program, with its rights as they are now.
         */
        get: operations["Clients_find"];
        put?: never;
        post?: never;
        /**
         * Revoke a client
         * @description Its tokens stop within two seconds; clients that it made stay. It cannot be undone. Takes only clients with rights that the caller has as well, and gives no others: 403 otherwise.
         */
        delete: operations["Clients_revoke"];
        options?: never;
        head?: never;
        /**
         * Change the name, kind or rights of a client
         * @description Tokens lose removed rights within two seconds; a session gets new ones as fast. Takes only clients with rights that the caller has as well, and gives no others: 403 otherwise.
         */
        patch: operations["Clients_update"];
        trace?: never;
    };
    "/clients/{clientId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret
         * @description The secret is only in this answer. Ends its sessions; other tokens stay valid. Takes only clients with rights that the caller has as well, and gives no others: 403 otherwise.
         */
        post: operations["Clients_rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of the settings, newest first
         * @description Every change of shops, flows, secrets and API clients, and every manual retry, replay, test and erasure: actor, action, time and origin. Entries never change, but an erasure removes the `reason` of a settlement. They contain no secrets and no personal data, unless a merchant writes them into the `reason` of a change of a flow. With several filters, a page looks at up to 20,000 entries: it may be short, even empty, and still have a next one.
         */
        get: operations["Audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges client credentials for an access token (OAuth 2.0, RFC 6749 §4.4).
         * @description JSON with the same fields is accepted, too. `expires_in` is in seconds.
         */
        post: operations["Token_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that verify access tokens (RFC 7517).
         * @description The newest first, then those of tokens that are still valid.
         */
        get: operations["Token_jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events in the order of their commits, as a page or a stream
         * @description A reader that continues after the last cursor gets every event exactly once, including events that were committed late. With `Accept: text/event-stream` the answer is a stream of Server-Sent Events that begins now by default. `id` is the cursor, `event` the type, `data` the event; a heartbeat comes every 15 seconds. The stream ends within 15 seconds after its token is no longer accepted, and after 5 minutes at the latest. Then open it again with `Last-Event-ID`, as clients of Server-Sent Events do automatically. Otherwise the answer is a page, oldest first. `next_cursor` is present even if there is no next event yet; `has_more` is true if another page can be read at once. A page may have fewer events than `limit`, or none, although there are more. A client may have 5 open streams, a merchant 20, in each process of the service.
         */
        get: operations["Events_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List flows, newest first
         * @description Each with its active definition. `name_contains` finds some of them.
         */
        get: operations["Flows_list"];
        put?: never;
        /**
         * Create a flow
         * @description Its first version is active at once. `shops` are those of `POST /shops`, by id.
         */
        post: operations["Flows_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a flow
         * @description With its active definition and its present rollout.
         */
        get: operations["Flows_find"];
        put?: never;
        post?: never;
        /**
         * Delete a flow without open payments and end its rollout; its name becomes available
         * @description With `FLOW_ACTIVATION_APPROVALS=1`, a flow that had payments also requires `flows:activate`.
         */
        delete: operations["Flows_remove"];
        options?: never;
        head?: never;
        /**
         * Change a flow
         * @description A change of any field except the name drafts a new version and activates it in one step. The counter continues. Repeating a change has no effect, so the call can be retried. With `based_on_version` the change applies only if that version is active. Any field of the definition also requires the scope `flows:activate`, and is refused with `FLOW_ACTIVATION_APPROVALS=1`: draft, approve and activate a version. With this setting, the name of a flow that had payments requires `flows:activate`, too. A rename is reported as `flow.renamed`.
         */
        patch: operations["Flows_update"];
        trace?: never;
    };
    "/flows/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a flow without changing anything
         * @description Returns the shop that a payment would go to now. If there is no shop, or a rule declines the payment, this is a result, not an error: `data.success` is false. With `simple` the whole answer is `true` or `false`. With `explain` it contains the reasons, and for every other shop the smallest single change that would have picked it. `count`, `overrides`, `at_counter` and `definition` are assumptions; any of them can be combined. Nothing is written.
         */
        post: operations["FlowSimulation_simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a flow's versions, newest first
         * @description Each with its definition, its state, and who created and activated it.
         */
        get: operations["FlowVersions_list"];
        put?: never;
        /**
         * Create a draft
         * @description A draft is not used for payments until it is activated. To try it first, send it as `definition` to `POST /flows/simulate`, or as `version` to `POST /flows/{id}/backtest`.
         */
        post: operations["FlowVersions_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version
         * @description With its definition and its approvals. Versions never change.
         */
        get: operations["FlowVersions_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a version that another client wrote
         * @description With `FLOW_ACTIVATION_APPROVALS=1` a version needs this before it is active for the first time. An approval activates nothing and cannot be withdrawn. A repeat has no effect.
         */
        post: operations["FlowVersions_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a version, newer or older
         * @description The counter continues; routed payments keep their shop. Activating the active version has no effect, so the call can be retried. With `based_on_version` the version is activated only if that version is the active one. It is reported as `flow.activated`, or as `flow.rolled_back` if an earlier version that was active before is active again.
         */
        post: operations["FlowVersions_activate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run past payments through a draft
         * @description Returns where the flow's past payments would have gone, without changing anything. A payment keeps the counter and the random number of its own decision, and the health and approval rates of shops at that time. So an unchanged flow decides as before. `counter` and `draws` count the payments without recorded values. Otherwise, shops are used in their current state, and as healthy. Refused payments are not included. `approval` estimates the share that the first shop would have approved, with 95 % intervals. It is based on payments that went by rotation, weight or chance to the shops that the draft prefers; `doubt` is set if this is not enough. `costs` has the fees before and after, by the fees of now. A merchant can run one backtest at a time, and one more can wait.
         */
        post: operations["FlowBacktest_backtest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use POST /flows/{id}/backtest
         * @deprecated
         * @description Returns where the flow's past payments would have gone, without changing anything. A payment keeps the counter and the random number of its own decision, and the health and approval rates of shops at that time. So an unchanged flow decides as before. `counter` and `draws` count the payments without recorded values. Otherwise, shops are used in their current state, and as healthy. Refused payments are not included. `approval` estimates the share that the first shop would have approved, with 95 % intervals. It is based on payments that went by rotation, weight or chance to the shops that the draft prefers; `doubt` is set if this is not enough. `costs` has the fees before and after, by the fees of now. A merchant can run one backtest at a time, and one more can wait.
         */
        post: operations["FlowReplay_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How often each rule of the active version decides, and which rules may be dead
         * @description Hits are counted from the newest payments: each for the rule that decided it, also a declined one. They belong to the rule itself, so they stay when a version only adds or moves rules. An edited rule begins at 0.
         */
        get: operations["FlowRules_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/rollouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a flow's rollouts, newest first
         * @description Without the comparison, which the answer for one rollout has.
         */
        get: operations["Rollouts_list"];
        put?: never;
        /**
         * Roll a version out to a percent of the payments
         * @description The other payments get the active version. Raising the percent moves no customer back. Each version has its own counter. While a rollout is running, no other version can be activated. With a `guardrail` the service aborts the rollout when the approval rate of the candidate is too low.
         */
        post: operations["Rollouts_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/rollouts/{rolloutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a rollout, with the comparison of its versions
         * @description The outcomes of payments of both versions, and the difference of their approval rates.
         */
        get: operations["Rollouts_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the percent of a rollout
         * @description This begins its next stage. The percent that it has already changes nothing, so the call can be retried.
         */
        patch: operations["Rollouts_change"];
        trace?: never;
    };
    "/flows/{id}/rollouts/{rolloutId}/over-time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the outcomes of both versions by hour or day
         * @description Of the latest 50,000 payments of the flow since the rollout began. Steps are days if it has taken more than 48 hours.
         */
        get: operations["Rollouts_overTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/rollouts/{rolloutId}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate the candidate for all payments
         * @description It is reported as `flow.activated`. A repeat has no effect.
         */
        post: operations["Rollouts_promote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/rollouts/{rolloutId}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give all payments the active version again
         * @description It is reported as `flow.rolled_back`. A repeat has no effect.
         */
        post: operations["Rollouts_abort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List versions for which an approval was requested, newest request first
         * @description Of all flows. If `state` is omitted: those that wait.
         */
        get: operations["Proposals_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}/approval-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask colleagues to approve a version
         * @description It is reported as `approval.requested`. It is optional: a version can be approved without a request. While a request waits, a repeat has no effect.
         */
        post: operations["Proposals_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}/approval-requests/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw the request for an approval that waits
         * @description The draft stays.
         */
        post: operations["Proposals_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a version for which an approval is requested
         * @description It ends the request with a reason. The draft stays, and an approval can be requested again.
         */
        post: operations["Proposals_reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{id}/versions/{version}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a version's comments, newest first
         * @description Comments are never changed.
         */
        get: operations["Proposals_comments"];
        put?: never;
        /**
         * Comment a version
         * @description Also requires `flows:write` or `flows:activate`: those who propose and those who approve talk here.
         */
        post: operations["Proposals_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of payments and deliveries, and pending work
         * @description Approvals of each shop by hour, deliveries by minute, and work that needs an operator. The cost does not depend on the number of payments and deliveries.
         */
        get: operations["Insights_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/open-work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List work that waits for a provider or a person
         * @description Operations without an outcome, notifications that cannot be applied yet, and alarms that no one has acknowledged.
         */
        get: operations["Insights_openWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare approvals, declines and answer times by shop and segment
         * @description Counts attempts of whole hours, also those of a moment ago, and compares them with the equally long period before. Hours of more than 48 hours ago are known only as days in UTC: such a time in `from` or `to` stands for its whole day, and the answer says which. A filter with an empty value, such as `country=`, selects attempts for which the field is unknown. Facts of the provider about the card come before those of the payment. More than a day by BIN may have too many segments to count: the answer is 400, and asks for a shorter period or a shop.
         */
        get: operations["Approvals_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/approvals/over-time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read approvals by hour or day, with the period before
         * @description Takes the filters of `GET /insights/approvals`. Steps are hours if the period has at most 48, all of the last 48 hours; otherwise days in UTC.
         */
        get: operations["Approvals_overTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/approvals/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments behind a cell of approvals, newest first
         * @description Takes the filters of `GET /insights/approvals`, and lists the attempts that its cell counts. A page looks at 20,000 payments: it may be short, even empty, and still have a next one.
         */
        get: operations["Approvals_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/to-do": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List work for a person, by deadline
         * @description Authorisations that lapse, disputes whose evidence is due, and what does not work. `left_out` names what needs a further scope.
         */
        get: operations["ToDo_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments, newest first
         * @description With `search` or several filters, a page looks at up to 20,000 payments: it may be short, even empty, and still have a next one.
         */
        get: operations["Payments_list"];
        put?: never;
        /**
         * Create a payment
         * @description Routes the payment through the flow, sends it to the provider of the chosen shop and returns the payment. If the provider gives no answer in time, the payment stays pending. If it declines softly or is unavailable, the next shop is tried, up to the flow's max_attempts. Without the scope `payments:read` the answer contains only the `id` of a known customer and the customer fields of this request. In that case neither `customer_id` nor `customer.reference` is allowed with a `webhook_endpoint`, because the webhook contains the whole customer.
         */
        post: operations["Payments_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment
         * @description As it is now; amounts are in the major unit of the currency.
         */
        get: operations["Payments_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Replace the metadata of a payment
         * @description Searches and lists find the payment by the new values. Later webhooks have them; earlier ones keep the old. Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata, webhook address or next action.
         */
        patch: operations["PaymentMetadata_update"];
        trace?: never;
    };
    "/payments/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every change of status of a payment, oldest first
         * @description Each with the status before and after, the cause and the time. Not divided into pages.
         */
        get: operations["Payments_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every attempt of a payment with a shop, in order
         * @description The next shop of the decision is tried if a shop declined the payment softly or certainly did not charge it, up to the flow's max_attempts. An attempt without an outcome, or with `unknown`, may have been charged and is never followed by another.
         */
        get: operations["Payments_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every request to providers for a payment, in order
         * @description Each charge, capture, void and refund is recorded before its call, and is tried for three days until its outcome is known. An open operation with `next_try_at: null` is not tried again: check the payment at its provider, or sync it.
         */
        get: operations["Payments_operations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why a payment went to its shop
         * @description The decision at the creation of the payment: the tests that each shop failed, the values that the strategy used, and the order in which other shops would have been tried.
         */
        get: operations["Payments_decision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the provider now for the outcome of a payment
         * @description Asks about every open operation; otherwise recovery asks about them periodically. Returns the payment after that; a payment without open operations is returned unchanged. Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata, webhook address or next action.
         */
        post: operations["Payments_sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payment that is pending, or processing if its provider confirms
         * @description Releases an authorisation, unless it is being captured. Safe to repeat: a payment that is already cancelled is returned unchanged. Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata, webhook address or next action.
         */
        post: operations["Payments_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture an authorised payment
         * @description For a payment with `capture: "manual"` and `amount_authorized` above 0. The payment is `completed` when the provider confirms, and the rest of the authorisation is released. One capture is possible: a repeat with the same amount returns the payment, another amount (also none, after a part) is refused with `capture_already_made`. If the provider refuses the capture, 409 `provider_unconfirmed` gives the reason. Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata, webhook address or next action.
         */
        post: operations["Captures_capture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/next-action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete the payer's step in your page
         * @description For a payment whose `next_action` is a `provider_action`. Hands in what the provider's script answered, and returns the payment: with its outcome, or with a further `next_action`. A repeat is safe, and a payment that has its outcome is returned unchanged. Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata and webhook address.
         */
        post: operations["NextActions_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/operations/{operationId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle an operation by hand whose outcome the provider cannot tell
         * @description For an operation that recovery has stopped or cannot finish: look at the transaction at the provider first. The payment follows with the cause `settled_by_operator` and its webhook; a refund follows its operation; the audit log gets the outcome, the amount and the reason. Outcomes of a charge, capture or void: `captured`, `not_captured`, `voided`, `refunded`. Of a refund: `refunded`, `not_refunded`; if it reverses a late charge: `refunded`. A charge that was captured after the end of its payment is refunded by the service. 409 `operation_under_way`: a call is being made now. 409 `settle_contradicts_provider`: the provider reports another outcome; the same request with `confirm: true` settles anyway. So does 409 `settle_exceeds_operation`: the amount is larger than that of the operation. `detail` names both if both are so. The amount is never larger than what was authorised or asked. With `FLOW_ACTIVATION_APPROVALS=1` such a request is kept and gets 409 `settle_approval_required`, until another client sends it as well.
         */
        post: operations["Settlements_settle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund the remaining amount of a completed payment
         * @description Safe to repeat: a payment that is already refunded is returned unchanged. `refund_pending` of the answer is true until the provider reports the outcome of the refund: no other refund is made until then, and a repeat asks the provider for the outcome if it can be asked. If the refund fails, 409 `provider_unconfirmed` gives the reason, and the next request makes a new one. For a part of the amount use `POST /payments/{id}/refunds`. Without the scope `payments:read` the answer has only the `id` of the customer, and no metadata, webhook address or next action.
         */
        post: operations["Payments_refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds of a payment, newest first
         * @description Also refunds that were made at the provider. Full refunds that earlier versions made are not listed.
         */
        get: operations["Refunds_listByPayment"];
        put?: never;
        /**
         * Create a refund of a payment, or of a part of it
         * @description The answer is the refund after the call of the provider. `pending`: its outcome is reported later, by an event `refund.updated` and by `GET /refunds/{id}`. `failed`: `failure_code` has the reason. Pending and successful refunds together never exceed the captured amount. If they would exceed it together with disputes, 409 `payment_disputed` asks for `confirm: true`. The payment becomes `refunded` when the captured amount is refunded. With an `Idempotency-Key`, a repeat gets the same refund as it is then.
         */
        post: operations["Refunds_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds, newest first
         * @description Of all payments of the merchant. All given filters must match.
         */
        get: operations["Refunds_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund
         * @description As it is now; the amount is in the major unit of the currency.
         */
        get: operations["Refunds_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers, newest first
         * @description Also erased customers, without their data.
         */
        get: operations["Customers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer
         * @description With the present personal data, or without any if it was erased.
         */
        get: operations["Customers_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a customer
         * @description Redacts the customer, the metadata of its payments, and the bodies and answers of its webhooks and notifications. Amounts, currencies, countries, statuses, times and ids stay, and so do the payments. Pending webhooks are sent unchanged and redacted afterwards. This cannot be undone: the customer takes no new payments, and its webhooks cannot be sent again. A repeated call changes nothing and returns the state.
         */
        post: operations["Customers_erase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved payment methods of a customer, newest first
         * @description Each with its entries by provider and account, without their tokens.
         */
        get: operations["SavedMethods_list"];
        put?: never;
        /**
         * Save a payment method of a customer
         * @description Stores the tokens encrypted and never returns them. A payment names it by `payment_method_id`. With an `Idempotency-Key`, a repeat gets the same payment method. Tokens that the customer has saved in one get that one, with `Idempotent-Replayed`.
         */
        post: operations["SavedMethods_save"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/payment-methods/{methodId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a saved payment method
         * @description With its entries by provider and account.
         */
        get: operations["SavedMethods_find"];
        put?: never;
        post?: never;
        /**
         * Remove a saved payment method
         * @description It cannot be used from now on. The worker detaches its tokens at the providers that allow it, and tries again for three days if one gives no answer. Payments that were made with it stay.
         */
        delete: operations["SavedMethods_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes
         * @description Disputes are reported by providers. Submit evidence in the dashboard of the provider: find the dispute there by `provider_dispute_id`. `GET /events` has `dispute.opened`, `dispute.updated` and `dispute.closed`. With times, a page looks at up to 20,000 disputes: it may be short, even empty, and still have a next one.
         */
        get: operations["Disputes_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a dispute
         * @description As the provider last reported it; the amount is in the major unit of the currency.
         */
        get: operations["Disputes_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every dispute of a payment, oldest first
         * @description Also disputes of its earlier attempts. Not divided into pages.
         */
        get: operations["Disputes_listByPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications of providers for a shop, newest first
         * @description Every notification with a valid signature, and its outcome. One that came too early waits until it is a legal change. One that contradicts its payment is ignored, with a reason. A repeated notification id is listed again only with other content.
         */
        get: operations["Notifications_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/notifications/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alarm
         * @description Records that a person has checked it and acted at the provider. It is then no longer open; the payment does not change. An acknowledged alarm is returned unchanged.
         */
        post: operations["Notifications_acknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/{provider}/notifications/{shopId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a notification from a payment provider
         * @description Authenticated by the provider's own signature over the raw body, with the shop's credentials. Answers 200 with the body that the provider expects after the notification is stored. Each notification id counts once. Kinds that say nothing about a payment are answered 200 and not stored.
         */
        post: operations["Notifications_receive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/{provider}/return/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive a payer who returns from a redirect
         * @description Only for payers' browsers. Hands the query parameters to the provider, and redirects the payer to the payment's `return_url`, for any outcome: read the payment there.
         */
        get: operations["Returns_receive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find payments, customers and refunds by a value
         * @description Payments by `id`, `payment_session_id`, `provider_transaction_id`, a value of any key of their metadata, or the reference or e-mail address of their customer. Customers by `id`, reference or e-mail address. Refunds by `id` or the provider's id. For all matches of a value use the filters of the lists.
         */
        get: operations["Search_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{report}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read sums by day, week or month, or all rows, as JSON or CSV
         * @description Payments count when they were created, captures and their fees when they were captured, refunds when they succeeded, disputes when they were opened, and attempts of `approvals` when their payment was created. Refunds that failed, also after a success, do not count. Archived payments, with their refunds, are no longer counted. A connection that ends before the end of an answer means that it is incomplete.
         */
        get: operations["Reports_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads a shop's health, its outcomes of the last hour by minute, and the reasons for its declines.
         * @description Outcomes are numbers of payments.
         */
        get: operations["ShopReports_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the payment providers for shops, and the credentials of each.
         * @description Names of credentials only, with whether they are required and secret. Not divided into pages.
         */
        get: operations["Providers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/sandbox/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sandbox's transactions of the merchant's payments, newest first
         * @description The sandbox's own ledger, as another company would keep it: requests and captured charges, even if an answer was lost. Empty with `SANDBOX_LEDGER=false`. With `shop_id`, a page looks at up to 20,000 transactions: it may be short, even empty, and still have a next one.
         */
        get: operations["Sandbox_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/sandbox/transactions/{transactionId}/captures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture at the sandbox's dashboard
         * @description The ledger of the sandbox changes, and the sandbox notifies this service, as another company would. Of an authorised transaction, once, in whole or in part.
         */
        post: operations["SandboxDashboard_capture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/sandbox/transactions/{transactionId}/voids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void at the sandbox's dashboard
         * @description The ledger of the sandbox changes, and the sandbox notifies this service, as another company would. Of an open or authorised transaction. A voided one is returned unchanged.
         */
        post: operations["SandboxDashboard_void"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/sandbox/transactions/{transactionId}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund at the sandbox's dashboard, in whole or in part
         * @description The ledger of the sandbox changes, and the sandbox notifies this service, as another company would. The payment gets a refund with the origin `provider`. Without an `Idempotency-Key`, a repeat refunds again.
         */
        post: operations["SandboxDashboard_refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/sandbox/transactions/{transactionId}/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a dispute at the sandbox, as the payer would
         * @description The ledger of the sandbox changes, and the sandbox notifies this service, as another company would. Of a captured transaction. Disputes that are not won add up to at most the captured amount.
         */
        post: operations["SandboxDashboard_dispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/sandbox/disputes/{sandboxDisputeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dispute as the sandbox has it
         * @description It may be ahead of `GET /disputes/{id}`, which has what notifications have reported.
         */
        get: operations["SandboxDashboard_getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a dispute at the sandbox
         * @description The ledger of the sandbox changes, and the sandbox notifies this service, as another company would. `under_review`: evidence was submitted. `won`, `lost` and `accepted` close it. A later `kind` opens it again: an inquiry becomes a chargeback, a chargeback a pre-arbitration. A repeat changes nothing.
         */
        patch: operations["SandboxDashboard_changeDispute"];
        trace?: never;
    };
    "/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the merchant's shops, newest first.
         * @description Without pending rotations and the numbers of its health, which the answer for one shop has.
         */
        get: operations["Shops_list"];
        put?: never;
        /**
         * Creates a shop.
         * @description The answer contains its webhook secret, which few answers show.
         */
        post: operations["Shops_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one shop.
         * @description With its health, its warnings and its pending rotations.
         */
        get: operations["Shops_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the given fields, and the given keys of the credentials.
         * @description The provider of a shop never changes: its payments are stored there.
         */
        patch: operations["Shops_update"];
        trace?: never;
    };
    "/shops/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the credentials that the shop's provider accepts, and the shop's values.
         * @description Of secrets only the last characters.
         */
        get: operations["Credentials_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}/credentials/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks the provider whether it accepts the shop's credentials.
         * @description One call, which changes nothing there. Takes as long as the provider needs to answer, up to a time-out.
         */
        post: operations["Credentials_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/shop/{shopId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one sample webhook to an address
         * @description Sends it at once, signed like any other webhook, with `"test": true` in the body and the header `Webhook-Test: true`. If the receiver fails, the response is still a success and describes the failure.
         */
        post: operations["ShopWebhooks_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/shop/{shopId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the delivery statistics, latest deliveries and webhook secret of a shop
         * @description The secret is `null` for a token without the scope `webhooks:secrets`.
         */
        get: operations["ShopWebhooks_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/shop/{shopId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a shop, newest first
         * @description Without bodies and attempts, which `GET /webhooks/deliveries/{id}` has.
         */
        get: operations["ShopWebhooks_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/shop/{shopId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver the webhooks of a time range
         * @description Starts a new run of the schedule for every finished delivery that was created in the time range, like `POST /webhooks/redeliver`. Workers begin within two seconds and send a few deliveries at a time, oldest first. A request like a running one extends it to deliveries that failed since; what it has already delivered is not sent again. Returns the number of deliveries after the request is stored.
         */
        post: operations["ShopWebhooks_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of all shops, newest first
         * @description Takes the filters of `POST /webhooks/redeliver`, and also lists pending deliveries. With `webhook_endpoint`, or an `endpoint_id` of payments, a page may have fewer items than `limit`, or none, and still have a next page.
         */
        get: operations["Deliveries_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/redeliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List running redeliveries
         * @description Running requests of `POST /webhooks/redeliver` and of `POST /webhooks/shop/{shopId}/replay` (one entry per status), latest first. When a request is no longer in the list, all its deliveries are back in the queue.
         */
        get: operations["Deliveries_underWay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its body and every attempt
         * @description Finds it by its `id`, or by the header `webhook-id` that its receiver got.
         */
        get: operations["Deliveries_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery now
         * @description Starts a new run of the schedule with the same body and `webhook-id`, even if the delivery succeeded. For a pending delivery, the next attempt is made now, unless an attempt is in progress. Another address sees the body, so it also requires the scope `webhooks:read`.
         */
        post: operations["Deliveries_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver all deliveries that match a filter
         * @description For use after an outage. Each delivery gets a new run of the schedule, with the same body and `webhook-id`. Workers send a few at a time, oldest first. Without new deliveries, they go as fast as the receivers answer; otherwise they limit the rate, so that new deliveries are not delayed. They pause while 200 deliveries of a shop fail. A request like a running one extends it to deliveries that failed since, and all counted deliveries are sent. Deliveries with the status `delivered` that the running request has processed are neither counted nor sent again. With `dry_run` it only returns 200 and the count.
         */
        post: operations["Deliveries_redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/shop/{shopId}/conformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a receiver
         * @description Sends about twenty requests to the address, one after the other. The receiver must acknowledge genuine and unusual requests with a 2xx, and refuse wrong ones. A 2xx does not show everything, for example whether a repetition was handled once; `unproven` says what to check. A run takes up to half a minute and records no deliveries.
         */
        post: operations["Conformance_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/conformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the receiver of a standing endpoint
         * @description Like `POST /webhooks/shop/{shopId}/conformance`, at the address of the endpoint, with its secret, headers and authentication.
         */
        post: operations["Conformance_runEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain why a signature does not match
         * @description Takes a webhook as the receiver got it and says what is wrong with it. Changes nothing.
         */
        post: operations["Conformance_verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints with their statistics of the last day, newest first
         * @description Standing endpoints, and the addresses of payments: one endpoint for each scheme, host and port that a shop sends webhooks to. The cost of a request does not depend on the number of deliveries.
         */
        get: operations["Endpoints_list"];
        put?: never;
        /**
         * Create a standing endpoint
         * @description It gets the chosen events of all payments, in addition to the `webhook_endpoint` of each. The answer contains its secret. Its receiver sees the bodies of events, so the scope `webhooks:read` is required, too.
         */
        post: operations["Management_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint with its hourly statistics
         * @description The secret is `null` for a token without the scope `webhooks:secrets`.
         */
        get: operations["Endpoints_find"];
        put?: never;
        post?: never;
        /**
         * Delete a standing endpoint
         * @description Its pending deliveries are not sent. Later changes of payments without a `webhook_endpoint` are not either: first wait until `open_payments` is 0.
         */
        delete: operations["Management_remove"];
        options?: never;
        head?: never;
        /**
         * Change a standing endpoint
         * @description Omitted fields stay unchanged.
         */
        patch: operations["Management_update"];
        trace?: never;
    };
    "/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of events
         * @description `event_types` of a standing endpoint and `types` of `GET /events` take these names.
         */
        get: operations["EventTypes_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a standing endpoint
         * @description Deliveries are kept, and sent after `POST …/resume`. Has no effect on a paused or disabled endpoint.
         */
        post: operations["Management_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a standing endpoint that is paused or disabled
         * @description Sends what was kept, oldest first. Has no effect on an active endpoint.
         */
        post: operations["Management_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a standing endpoint a new secret
         * @description Generated or given. It signs at once or in `activate_in_seconds`, which gives time to add it at the receiver. During the overlap webhooks have signatures of both secrets; another rotation ends the overlap.
         */
        post: operations["Management_rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one sample event to a standing endpoint
         * @description Sends it at once, with the secret, headers and authentication of the endpoint, with `"test": true` in the body and the header `Webhook-Test: true`. If the receiver fails, the response is still a success and describes the failure.
         */
        post: operations["Management_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}/webhook-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the shop a new webhook secret, generated or given.
         * @description It signs at once or in `activate_in_seconds`, which gives time to add it at the receiver. During the overlap
         *     webhooks have signatures of both secrets; another rotation ends the overlap.
         */
        post: operations["Shops_rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that verify `v1a` in the header `webhook-signature`.
         * @description No authentication. Empty for a shop that signs only with its secret.
         */
        get: operations["WebhookKeys_published"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}/webhook-key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the shop a new signing key.
         * @description During the overlap webhooks have signatures of both keys; another rotation ends the overlap.
         */
        post: operations["WebhookKeys_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.amounts_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.late_charge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "capture.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "authorization.lapsing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operation.stuck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "shop.down": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "shop.up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "approvals.fell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "delivery.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "approval.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "flow.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "flow.rolled_back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "flow.renamed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ActivateVersion: {
            /**
             * Format: int64
             * @description The active version that this one was compared with. If another version is active by now, the call is refused (`flow_changed`). If omitted, this version replaces any active version.
             * @example 1
             */
            based_on_version?: number;
            /**
             * @description Why the version is activated; shown with the version and in the audit log.
             * @example Berlin costs less
             */
            reason?: string;
        };
        ActivatedFlow: {
            /**
             * Format: int64
             * @description The id of the flow.
             */
            flow_id: number;
            /** @description The name of the flow. */
            flow_name: string;
            /**
             * Format: int64
             * @description The version of the flow.
             */
            version: number;
            /**
             * Format: int64
             * @description `null`: the flow is new.
             */
            previous_version: number | null;
        };
        /** @enum {string} */
        Agreement: "subscription" | "unscheduled";
        /** @enum {string} */
        AlarmReason: "amount_differs" | "other_refund" | "void_failed" | "refund_failed" | "capture_failed" | "payment_archived";
        /** @description Tests of the amount, in the currency's major unit. All given tests must pass; at least one is required. */
        AmountTest: {
            /**
             * Format: double
             * @description Exactly this value.
             */
            equals?: number;
            /** @description One of these values, without duplicates. */
            in?: number[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: number | number[];
            /**
             * Format: double
             * @description The minimum, inclusive.
             */
            min?: number;
            /**
             * Format: double
             * @description The maximum, inclusive.
             */
            max?: number;
        };
        /** @enum {string} */
        AmountsChangeCause: "authorized" | "refund_created" | "refund_failed";
        ApprovalCell: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            values: components["schemas"]["SegmentValues"];
            /**
             * Format: int64
             * @description The sum of the four numbers below. An attempt counts in the hour in which it began.
             * @example 132
             */
            attempts: number;
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 12
             */
            declined: number;
            /**
             * Format: int64
             * @description The provider was not available, or did not answer in time; the latter changes when the outcome is known.
             * @example 1
             */
            failed: number;
            /**
             * Format: int64
             * @description The provider has not decided yet.
             * @example 1
             */
            pending: number;
            /** @description Approved attempts among those that are not pending; `null`: there is none. */
            approval_rate: components["schemas"]["RateInterval"] | null;
            /** @description Attempts by decline code, the most frequent first, at most 50. */
            decline_codes: components["schemas"]["DeclineCount"][];
            /**
             * Format: int64
             * @description The mean time to the provider's first answer, in ms; `null`: no answer in time.
             * @example 412
             */
            mean_answer_ms: number | null;
            /** @description The period before, from `before_from`; `null`: it is not counted as a whole, see `counted_since`. */
            before: components["schemas"]["ApprovalsBefore"] | null;
            /** @description The difference of the rates, now minus before; `null` unless both are known. */
            change: components["schemas"]["RateInterval"] | null;
            /**
             * @description Whether the change is more than chance: by Fisher's exact test, with at most 5 % false discoveries among the cells of an answer. `null` without a change.
             * @example false
             */
            is_significant: boolean | null;
        };
        /** @enum {string} */
        ApprovalDoubt: "not_enough_payments" | "not_enough_overlap";
        ApprovalEstimate: {
            /**
             * Format: double
             * @description The number of payments decided by the draft itself that would give an equally precise estimate.
             * @example 412.6
             */
            effective_payments: number;
            /**
             * Format: double
             * @description The share of the draft's payments that past payments give evidence for. A payment that could never have gone to the
             *     draft's shop gives none.
             * @example 0.98
             */
            overlap: number;
            /**
             * @description The reason why there is no estimate for the draft. `not_enough_payments`: fewer than 30, or from too few customers.
             *     `not_enough_overlap`: in the past no or too few such payments went to the shops that the draft picks.
             */
            doubt: components["schemas"]["ApprovalDoubt"] | null;
            /**
             * Format: int64
             * @description The number of payments that the estimate is based on.
             * @example 980
             */
            payments: number;
            /**
             * Format: int64
             * @description Payments not included because it is unknown whether the first shop approved: pending, in processing, cancelled.
             * @example 15
             */
            without_outcome: number;
            /**
             * Format: int64
             * @description Payments not included because the probability of the pick was not recorded: decisions of older releases.
             * @example 5
             */
            without_probability: number;
            /** @description The rate of the past decisions; `null`: there are no payments. */
            before: components["schemas"]["EstimatedRate"] | null;
            /** @description The rate of the draft; a payment that no shop takes is not approved. `null`: `doubt` has the reason. */
            after: components["schemas"]["EstimatedRate"] | null;
            /** @description `after` minus `before`, with its own interval, in which common errors cancel out. */
            difference: components["schemas"]["EstimatedRate"] | null;
        };
        /** @enum {string} */
        ApprovalRequestStatus: "waiting" | "approved" | "rejected" | "withdrawn";
        ApprovalRequestedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "approval.requested";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["RequestedApproval"];
        };
        ApprovalStep: {
            /**
             * Format: date-time
             * @description The beginning of the hour or day.
             * @example 2026-11-24T00:00:00.000Z
             */
            at: string;
            /** @description The same step of the period before; `null`: it was not counted. */
            before: components["schemas"]["StepCounts"] | null;
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 108
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 11
             */
            declined: number;
            /**
             * Format: int64
             * @description The number that failed.
             * @example 1
             */
            failed: number;
        };
        /**
         * @description The length of a step; days are those of UTC.
         * @enum {string}
         */
        ApprovalStepLength: "day" | "hour";
        Approvals: {
            /**
             * @description The beginning of the first hour.
             * @example 2026-11-21T02:00:00.000Z
             */
            from: string;
            /** @description At most 100, those with the most outcomes. */
            shops: components["schemas"]["ShopApprovals"][];
        };
        ApprovalsBefore: {
            /**
             * Format: int64
             * @description The number of attempts.
             * @example 130
             */
            attempts: number;
            /** @description `null`: no attempt has ended. */
            approval_rate: components["schemas"]["RateInterval"] | null;
        };
        ApprovalsFellWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "approvals.fell";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["FallenApprovals"];
        };
        ApprovalsOverTime: {
            /** @description The length of a step; days are those of UTC. */
            step: components["schemas"]["ApprovalStepLength"];
            /** @description In the order of time, without gaps. */
            steps: components["schemas"]["ApprovalStep"][];
        };
        ApprovalsOverTimeResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ApprovalsOverTime"];
        };
        ApproveVersion: {
            /**
             * @description Shown with the approval and in the audit log.
             * @example Checked with the contract
             */
            reason?: string;
        };
        Assertion: {
            /**
             * @description The payments that the assertion applies to, written as in a rule; `{}`: all.
             * @example {
             *       "country": {
             *         "equals": "DE"
             *       }
             *     }
             */
            when: components["schemas"]["Condition"];
            /**
             * Format: int64
             * @description The payments never go to this shop, which need not be in the flow.
             * @example 3
             */
            never?: number;
            /**
             * Format: int64
             * @description The payments have at least this many shops that they can go to, each of them if the others are down. The number of
             *     shops that one payment is tried with is a different matter: see `at_least_tries`.
             * @example 2
             */
            at_least?: number;
            /**
             * Format: int64
             * @description The payments are tried with at least this many shops before they fail, if all shops are up and every failure allows
             *     another try. This requires a `max_attempts` of at least this number, and as many shops for the payment in the rule
             *     that decides.
             * @example 2
             */
            at_least_tries?: number;
            /**
             * @description The payments name exactly these accounts, so they go only to shops of these accounts. If omitted: payments that name
             *     no accounts.
             */
            payment_method?: components["schemas"]["NamedAccounts"];
        };
        AssertionViolation: {
            /**
             * @description The name of the field, or its path.
             * @example assertions[0]
             */
            field: string;
            /**
             * @description The reason, for people.
             * @example must never go to shop 3, but {\amount\:5,\currency\:\USD\} can
             */
            message: string;
        };
        /** @enum {string} */
        AttemptOutcome: "approved" | "processing" | "declined" | "soft_declined" | "unavailable" | "unknown";
        /** @enum {string} */
        AuditAction: "shop.created" | "shop.updated" | "shop.credentials_checked" | "shop.webhook_secret_rotated" | "shop.webhook_key_rotated" | "flow.created" | "flow.updated" | "flow.version_drafted" | "flow.approval_requested" | "flow.approval_withdrawn" | "flow.version_approved" | "flow.version_rejected" | "flow.version_commented" | "flow.version_activated" | "flow.rollout_started" | "flow.rollout_changed" | "flow.rollout_promoted" | "flow.rollout_aborted" | "flow.deleted" | "client.created" | "client.updated" | "client.revoked" | "client.secret_rotated" | "delivery.retried" | "deliveries.replayed" | "deliveries.redelivered" | "endpoint.created" | "endpoint.updated" | "endpoint.deleted" | "endpoint.paused" | "endpoint.resumed" | "endpoint.secret_rotated" | "endpoint.tested" | "endpoint.conformance_run" | "endpoint.disabled" | "webhook.tested" | "webhook.conformance_run" | "customer.erased" | "payment_method.saved" | "payment_method.removed" | "charge.given_back" | "alarm.acknowledged" | "operation.settlement_requested" | "operation.settled" | "payment.updated" | "payment.capture_requested" | "payment.cancel_requested" | "payment.refund_requested";
        AuditActor: {
            /**
             * @description `cli`: the command line, on the server; `system`: the service itself.
             * @example client
             */
            type: components["schemas"]["AuditActorType"];
            /**
             * @description `null` unless the actor was an API client.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string | null;
            /**
             * @description The name of the client or person now; `null`: unknown, or no client.
             * @example Ada Lovelace
             */
            name: string | null;
        };
        /** @enum {string} */
        AuditActorType: "client" | "cli" | "system";
        AuditEntry: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 512
             */
            id: number;
            /** @example shop.updated */
            action: components["schemas"]["AuditAction"];
            /**
             * Format: date-time
             * @description The time of it.
             * @example 2026-11-21T01:02:03.456Z
             */
            at: string;
            actor: components["schemas"]["AuditActor"];
            object: components["schemas"]["AuditObject"];
            /**
             * @description The names of the fields that got a new value, never the values.
             * @example [
             *       "name",
             *       "provider_credentials"
             *     ]
             */
            fields: string[];
            /**
             * @description Further details of the change, such as the number of a flow's version or the time range of a replay.
             * @example {}
             */
            details: {
                [key: string]: unknown;
            };
            /**
             * @description The address of the request's sender; `null` if there was none.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The `X-Request-Id` of the request; `null` if there was none.
             * @example 0b5f5c1e-6d5e-4f6e-9d53-0b8a0e0f2a11
             */
            request_id: string | null;
        };
        AuditEntryPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        AuditObject: {
            /**
             * @description The id of it.
             * @example 3
             */
            id: string;
            /** @example shop */
            type: components["schemas"]["AuditObjectType"];
        };
        /** @enum {string} */
        AuditObjectType: "shop" | "flow" | "client" | "delivery" | "merchant" | "endpoint" | "customer" | "notification" | "payment";
        AuthorizationLapsingWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "authorization.lapsing";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["LapsingAuthorization"];
        };
        BillingAddress: {
            /**
             * @description Street and number.
             * @example 1 Example Street
             */
            line1?: string;
            /**
             * @description Flat, floor or building.
             * @example Flat 2
             */
            line2?: string;
            /**
             * @description City, town or village.
             * @example Berlin
             */
            city?: string;
            /**
             * @description Postal code, in the form of the country.
             * @example 10115
             */
            postal_code?: string;
            /**
             * @description A state, province or region.
             * @example BE
             */
            state?: string;
            /**
             * @description ISO 3166-1 alpha-2, or `XK`.
             * @example DE
             */
            country?: string;
        };
        CaptureFailedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "capture.failed";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["FailedCapture"];
        };
        /** @enum {string} */
        CaptureMode: "automatic" | "manual";
        CapturePayment: {
            /**
             * Format: double
             * @description At most the authorised amount; the rest is released. If omitted: all of it.
             * @example 30
             */
            amount?: number;
        };
        /** @description Tests of the card's first digits, which the payment gives as 6 to 8 digits. All given tests must pass; at least one is required. */
        CardBinTest: {
            /** @description The digits begin with one of these, without duplicates. */
            starts_with?: string[];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        CardFacts: {
            /** @example credit */
            funding?: components["schemas"]["CardFunding"];
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            issuer_country?: string;
            /**
             * Format: int64
             * @description The month in which the card expires, from 1.
             * @example 12
             */
            expiry_month?: number;
            /**
             * Format: int64
             * @description The year in which the card expires.
             * @example 2030
             */
            expiry_year?: number;
            /**
             * @description The card network, in lower case.
             * @example visa
             */
            scheme?: string;
            /**
             * @description The first 6 to 8 digits.
             * @example 411111
             */
            bin?: string;
            /**
             * @description The last four digits of the card number.
             * @example 1111
             */
            last4?: string;
        };
        /** @enum {string} */
        CardFunding: "credit" | "debit" | "prepaid" | "charge" | "unknown";
        /** @description Tests of the kind of card. All given tests must pass; at least one is required. */
        CardFundingTest: {
            equals?: components["schemas"]["CardFunding"];
            /** @description One of these values, without duplicates. */
            in?: components["schemas"]["CardFunding"][];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: components["schemas"]["CardFunding"] | components["schemas"]["CardFunding"][];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        /** @description Tests of the card network. All given tests must pass; at least one is required. */
        CardSchemeTest: {
            /** @description Exactly this value. */
            equals?: string;
            /** @description One of these values, without duplicates. */
            in?: string[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: string | string[];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        Change: {
            /**
             * @description Any JSON value; `null`: the field is absent or `null`, which is possible in metadata.
             * @example false
             */
            from: unknown;
            /**
             * @description Any JSON value; `null`: omit the field.
             * @example true
             */
            to: unknown;
            /**
             * @description The field of `POST /flows/simulate`; a field inside `definition` changes the flow itself.
             * @example
             */
            field: string;
        };
        /** @enum {string} */
        ChangeCause: "provider_answer" | "provider_unavailable" | "provider_notification" | "provider_lookup" | "cancel_requested" | "capture_requested" | "refund_requested" | "refund_failed" | "declined_by_rule" | "expired" | "authorization_expired" | "settled_by_operator" | "charged_after_end" | "late_charge_reversed";
        ChangeRollout: {
            /**
             * Format: double
             * @description The candidate's share of the payments, with at most two decimals; 0 pauses it.
             * @example 50
             */
            percent: number;
            /**
             * @description Why it is changed; shown with the stage and in the audit log.
             * @example No more declines so far
             */
            reason?: string;
        };
        ChangeSandboxDispute: {
            /**
             * @description A later kind opens the dispute again.
             * @example chargeback
             */
            kind?: components["schemas"]["DisputeKind"];
            /** @example under_review */
            status?: components["schemas"]["DisputeStatus"];
            /**
             * Format: date-time
             * @description Until when evidence can be submitted.
             * @example 2026-12-01T23:59:59Z
             */
            evidence_due_by?: string;
        };
        ChangedAmounts: {
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /** @description The status of the payment, which did not change. */
            status: string;
            /** @description ISO 4217. */
            currency: string;
            /** @description `authorized`: the provider holds the amount. `refund_created`: a refund is requested or was made at the provider. `refund_failed`: the payer did not get its amount. */
            cause: components["schemas"]["AmountsChangeCause"];
            /**
             * Format: int64
             * @description `null`: no refund caused it.
             */
            refund_id: number | null;
            before: components["schemas"]["PaymentAmounts"];
            after: components["schemas"]["PaymentAmounts"];
        };
        /** @enum {string} */
        ClientAuthentication: "basic" | "body";
        /** @enum {string} */
        ClientKind: "person" | "program";
        /** @enum {string} */
        ClientRole: "support" | "finance" | "manager" | "developer" | "owner" | "custom";
        CommentVersion: {
            /**
             * @description Text of one or more lines.
             * @example What does Berlin charge for this?
             */
            comment: string;
        };
        ComparedRate: {
            /**
             * Format: double
             * @description The estimate.
             * @example 0.8912
             */
            estimate: number;
            /**
             * Format: double
             * @description The lower bound.
             * @example 0.8733
             */
            low: number;
            /**
             * Format: double
             * @description The upper bound.
             * @example 0.9069
             */
            high: number;
        };
        ComparedRollout: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 4
             */
            id: number;
            /**
             * Format: double
             * @description The candidate's share of the payments, now or when the rollout ended.
             * @example 10
             */
            percent: number;
            /** @example customer */
            key: components["schemas"]["RolloutKey"];
            /**
             * @description The condition of the payments that take part; `null`: all.
             * @example {
             *       "country": {
             *         "equals": "DE"
             *       }
             *     }
             */
            when: components["schemas"]["Condition"] | null;
            /**
             * @description `promoted`: the candidate became active for all payments. `aborted`: all payments got the active version again.
             * @example running
             */
            status: components["schemas"]["RolloutStatus"];
            /**
             * @description `null` while it is running.
             * @example requested
             */
            end_cause: components["schemas"]["RolloutEndCause"] | null;
            /**
             * Format: int64
             * @description The id of the flow.
             * @example 12
             */
            flow_id: number;
            /**
             * Format: int64
             * @description The candidate.
             * @example 2
             */
            version: number;
            /**
             * Format: int64
             * @description The version that was active when the rollout began.
             * @example 1
             */
            base_version: number;
            /** @description `null`: it is not aborted by itself. */
            guardrail: components["schemas"]["RolloutGuardrail"] | null;
            /**
             * @description The reason that was given.
             * @example Berlin costs less
             */
            reason: string | null;
            /**
             * @description Why it ended.
             * @example Berlin approves more
             */
            end_reason: string | null;
            /**
             * @description The API client that started it; `cli` or `system` without one.
             * @example client_0c8c1d1e6f0a
             */
            started_by: string;
            /**
             * @description `system`: its guardrail ended it.
             * @example client_0c8c1d1e6f0a
             */
            ended_by: string | null;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T01:02:03.456Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-21T01:02:03.456Z
             */
            ended_at: string | null;
            /** @description In order; the last one is the present one, or the one in which it ended. */
            stages: components["schemas"]["RolloutStage"][];
            comparison: components["schemas"]["RolloutComparison"];
        };
        ComparedRolloutResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ComparedRollout"];
        };
        ComparedVersion: {
            /** @example candidate */
            role: components["schemas"]["RolloutRole"];
            /**
             * Format: double
             * @description The version's share of the payments, with refused ones, 0 … 1; `null`: there are none.
             * @example 0.098
             */
            share: number | null;
            /**
             * Format: double
             * @description The share by the percent of each stage. A customer with many payments makes the share deviate.
             * @example 0.1
             */
            planned_share: number;
            /**
             * Format: int64
             * @description The version of the flow.
             * @example 2
             */
            version: number;
            /**
             * Format: int64
             * @description Includes payments that are open, or cancelled without an authorisation.
             * @example 1000
             */
            payments: number;
            /**
             * Format: int64
             * @description Completed, refunded or authorised, also after a void.
             * @example 912
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 71
             */
            declined: number;
            /**
             * Format: int64
             * @description Requests of `POST /payments` that got `no_available_shop`, also repeated ones. They are no payments, and count as not approved.
             * @example 6
             */
            refused: number;
            /** @description Approved of all approved, declined and refused payments; `null`: there are none. */
            approval_rate: components["schemas"]["ComparedRate"] | null;
        };
        CompleteNextAction: {
            /**
             * @description The answer of the provider's script, in the provider's own format, at most 16 KiB as JSON. It is handed to the provider
             *     and not stored.
             * @example {
             *       "result": "approved"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The condition that a payment must meet. All fields of the object must match, so `{}` matches every payment. `all` and `any` contain lists of conditions, `not` contains one condition, and all other fields contain tests. `payment_method.type` and `card.…` are facts that the payment gives. A field that it does not have equals no value. `metadata.order.tier` is the key `tier` of the object `order`; in an array, the key is an index. The tests of `metadata.<path>` are a `MetadataTest`. At most 8 levels of nesting.
         * @example {
         *       "currency": {
         *         "in": [
         *           "EUR",
         *           "CHF"
         *         ]
         *       },
         *       "any": [
         *         {
         *           "amount": {
         *             "min": 500
         *           }
         *         },
         *         {
         *           "metadata.order.tier": {
         *             "equals": "gold"
         *           }
         *         }
         *       ]
         *     }
         */
        Condition: {
            /** @description All of these conditions must match. */
            all?: components["schemas"]["Condition"][];
            /** @description At least one of these conditions must match. */
            any?: components["schemas"]["Condition"][];
            /** @description This condition must not match. */
            not?: components["schemas"]["Condition"];
            currency?: components["schemas"]["CurrencyTest"];
            country?: components["schemas"]["CountryTest"];
            amount?: components["schemas"]["AmountTest"];
            customer_id?: components["schemas"]["CustomerIdTest"];
            "payment_method.type"?: components["schemas"]["PaymentMethodTypeTest"];
            "card.scheme"?: components["schemas"]["CardSchemeTest"];
            "card.bin"?: components["schemas"]["CardBinTest"];
            "card.funding"?: components["schemas"]["CardFundingTest"];
            "card.issuer_country"?: components["schemas"]["CountryTest"];
        } & {
            [key: `metadata.${string}`]: components["schemas"]["MetadataTest"];
        };
        ConfigurationFaults: {
            /**
             * Format: int64
             * @description In the last 24 hours.
             * @example 0
             */
            last_day: number;
            /**
             * Format: int64
             * @description In the last 7 days.
             * @example 0
             */
            last_week: number;
        };
        ConformanceCaseResult: {
            /**
             * @description The name of it.
             * @example stale_timestamp
             */
            name: string;
            /**
             * @description Whether the receiver did what is expected.
             * @example false
             */
            passed: boolean;
            /**
             * @description The request that was sent.
             * @example a genuine request that was signed an hour ago
             */
            sent: string;
            /**
             * @description The answer of a correct receiver.
             * @example a 4xx, such as 401
             */
            expected: string;
            /**
             * @description The answer of the receiver.
             * @example 200 in 12 ms
             */
            got: string;
            /**
             * @description Advice for the receiver; `null` if the case passed.
             * @example Refuse requests that are older than five minutes.
             */
            advice: string | null;
            /** @description Behaviour that the answers to a passed case do not show, and where to check it; `null` if they show everything. A receiver can answer with 208 to show that it dropped a repetition or an older event. */
            unproven: string | null;
        };
        ConformanceRequest: {
            /**
             * Format: uri
             * @description An absolute http(s) URL of at most 2048 characters.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string;
        };
        ConformanceRun: {
            /**
             * @description Whether every case passed. `unproven` of a case says what its answers do not show.
             * @example false
             */
            passed: boolean;
            /** @description The result of each case. */
            cases: components["schemas"]["ConformanceCaseResult"][];
        };
        ConformanceRunResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ConformanceRun"];
        };
        ConsoleLink: {
            /**
             * @description Below `/console`.
             * @example /payments
             */
            path: string;
            /**
             * @description Its filter; the list of the API takes the same.
             * @example {
             *       "lapses_before": "2026-11-22T01:02:03.456Z"
             *     }
             */
            query: {
                [key: string]: string;
            };
        };
        Cost: {
            /**
             * Format: double
             * @description At the shops that the past decisions picked.
             * @example 1234.56
             */
            before: number;
            /**
             * Format: double
             * @description At the shops that the draft picks.
             * @example 1180.2
             */
            after: number;
            /**
             * Format: double
             * @description `after` minus `before`.
             * @example -54.36
             */
            difference: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * Format: int64
             * @description The payments in the sums.
             * @example 980
             */
            payments: number;
            /**
             * Format: int64
             * @description Payments in neither sum: a fee is unknown, or they go to no shop before or after.
             * @example 20
             */
            without_fees: number;
        };
        /** @description Tests of the ISO 3166-1 alpha-2 code. All given tests must pass; at least one is required. */
        CountryTest: {
            /** @description Exactly this value. */
            equals?: string;
            /** @description One of these values, without duplicates. */
            in?: string[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: string | string[];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        CreateClient: {
            /**
             * @description Shown in the audit log.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * @description `person`: signs in to the console. Default: `program`.
             * @example person
             */
            kind?: components["schemas"]["ClientKind"];
            /** @example support */
            role: components["schemas"]["ClientRole"];
            /**
             * @description Only with the role `custom`.
             * @example [
             *       "payments:read"
             *     ]
             */
            scopes?: components["schemas"]["Scope"][];
        };
        CreateCustomer: {
            /**
             * @description Your own id of the customer; no personal data. If you already have a customer with this id, it is used: the given
             *     fields replace the stored ones, the others stay. Without it every payment creates a customer.
             * @example user-4711
             */
            reference?: string;
            /**
             * @description As the payer wrote it. The format is not checked, so it never makes a payment fail. Control characters are removed.
             * @example +44 20 7946 0958
             */
            phone?: string;
            /**
             * @description The first name.
             * @example Ada
             */
            first_name?: string;
            /**
             * @description The last name.
             * @example Lovelace
             */
            last_name?: string;
            /**
             * @description The whole name, if it is not the two names together.
             * @example Ada Lovelace
             */
            full_name?: string;
            /**
             * @description Street and number.
             * @example 12 Queen Square
             */
            address?: string;
            /**
             * @description The city of the address.
             * @example London
             */
            city?: string;
            /**
             * @description The region or state of the address.
             * @example Greater London
             */
            region?: string;
            /**
             * @description The postal code of the address.
             * @example SW1Y 4JH
             */
            postal_code?: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example GB
             */
            country_code?: string;
            /**
             * Format: date
             * @description YYYY-MM-DD.
             * @example 1985-12-10
             */
            date_of_birth?: string;
            /**
             * @description In your own words.
             * @example female
             */
            gender?: string;
            /**
             * @description The company of the customer.
             * @example Analytical Engines Ltd
             */
            company?: string;
            /**
             * @description The VAT number.
             * @example GB123456789
             */
            vat_number?: string;
            /**
             * Format: email
             * @description The e-mail address.
             * @example ada@example.com
             */
            email?: string;
        };
        CreateEndpoint: {
            /**
             * Format: uri
             * @description An absolute http(s) URL of at most 2048 characters.
             * @example https://merchant.example/webhooks
             */
            url: string;
            /**
             * @description A text for people.
             * @example Order service
             */
            description?: string;
            /**
             * @description Only events of these shops. Absent: of all shops, also of later ones, and events of no shop.
             * @example [
             *       1
             *     ]
             */
            shop_ids?: number[];
            /**
             * @description Only these types of events; `GET /webhooks/event-types` lists all. Default: `["payment.status_changed"]`.
             * @example [
             *       "payment.status_changed"
             *     ]
             */
            event_types?: components["schemas"]["EventType"][];
            /**
             * @description `json`: the body of the event. `slack`: a message for a chat, without a signature that can be verified there. Default: `"json"`.
             * @example json
             */
            format?: components["schemas"]["EndpointFormat"];
            /**
             * @description Additional headers of every request, by name: at most 20, none that the service sets. Their values are never returned.
             * @example {
             *       "X-Environment": "test"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description Requests per second that the endpoint gets at most. Absent: no limit of its own.
             * @example 50
             */
            max_per_second?: number;
            auth?: components["schemas"]["EndpointAuth"];
            /**
             * @description Whether deliveries that failed for good are sent again, oldest first, when the endpoint recovers. Default: `true`.
             * @example true
             */
            redeliver_on_recovery?: boolean;
            /**
             * @description The secret that signs the endpoint's webhooks: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. Generated if absent.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret?: string;
        };
        CreateFlow: {
            /**
             * @description How the flow chooses among the shops that may take a payment. `round_robin`: one shop after the other. `weighted`:
             *     each gets exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the shop with the
             *     lowest number; shops with equal numbers alternate. `sticky`: the same customer goes to the same shop, by weight;
             *     payments without a customer as `weighted`. `success_rate`: by recent approval rates. `lowest_cost`: the shop with the
             *     lowest fee for the payment; among equal fees by priority, shops without a known fee last. `rules`: the first of
             *     `rules` that matches and has a shop for the payment, declines or refuses it, otherwise `default`.
             * @example round_robin
             */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The maximum number of shops that a payment is tried with, including the first; default 1: no failover.
             * @example 3
             */
            max_attempts?: number;
            /**
             * @description When payments are captured whose request has no `capture`: with the charge, or by `POST /payments/{id}/capture`. If
             *     omitted: `automatic`.
             * @example automatic
             */
            capture?: components["schemas"]["CaptureMode"];
            /**
             * @description Unique among the merchant's flows.
             * @example checkout
             */
            name: string;
            /** @description 1 to 300 shops, without duplicates. */
            shops: components["schemas"]["FlowShop"][];
            /** @description For the strategy `rules`: at most 100, tried in order. */
            rules?: components["schemas"]["Rule"][];
            /** @description For the strategy `rules`, which requires it: the shops for payments that no rule has a shop for, declines or refuses. */
            default?: components["schemas"]["RuleUse"];
            /** @description Options of the strategy `success_rate`; refused with other strategies. */
            success_rate?: components["schemas"]["SuccessRate"];
            /**
             * @description At most 50; a version that breaks one of them is not activated. Assertions are checked for the flow only: shops
             *     that are disabled as a whole or unhealthy do not matter.
             */
            assertions?: components["schemas"]["Assertion"][];
        };
        CreatePayment: {
            /**
             * Format: double
             * @description Greater than 0, with at most as many decimals as the currency has.
             * @example 49.9
             */
            amount: number;
            /**
             * @description ISO 4217 code of a currency that can be paid in: no metals, funds, test codes or withdrawn currencies.
             * @example EUR
             */
            currency: string;
            /**
             * @description ISO 3166-1 alpha-2, or `XK`.
             * @example DE
             */
            country?: string;
            /**
             * Format: int64
             * @description A customer of an earlier payment; not together with `customer`.
             * @example 7
             */
            customer_id?: number;
            /**
             * Format: uri
             * @description Address for a signed webhook at each change of status: an absolute http(s) URL.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
            /**
             * Format: uri
             * @description Address to which the payer returns after a redirect (`next_action`): https, or http on a loopback host.
             * @example https://merchant.example/checkout/A-1001
             */
            return_url?: string;
            /**
             * Format: int64
             * @description A saved payment method of the customer; not together with `payment_method`.
             * @example 12
             */
            payment_method_id?: number;
            /**
             * @description `merchant`: a charge of a saved payment method without the payer, such as for a subscription.
             * @example customer
             */
            initiator?: components["schemas"]["Initiator"];
            /**
             * @description The payer's agreement about later charges: of this `save`, or the one that a charge with `initiator: merchant` is based on. If
             *     omitted there: that of the saved payment method.
             * @example subscription
             */
            agreement?: components["schemas"]["Agreement"];
            /**
             * @description `manual`: the payment is only authorised and stays `processing` until `POST /payments/{id}/capture`. If omitted: the
             *     flow's default. Shops whose provider cannot capture later get no such payment.
             * @example automatic
             */
            capture?: components["schemas"]["CaptureMode"];
            /**
             * @description Generated when absent.
             * @example ps_4711
             */
            payment_session_id?: string;
            /**
             * @description Refuses the payment with 409 `payment_session_used` if another one of the merchant has the `payment_session_id` and
             *     has neither failed nor been cancelled: one session is paid once, also without an `Idempotency-Key`.
             */
            unique?: components["schemas"]["UniqueField"];
            /**
             * Format: int64
             * @description Seconds until a payment that is still pending is cancelled.
             * @example 1800
             */
            expires_in?: number;
            /**
             * @description The flow that chooses the shop.
             * @example checkout
             */
            flow_name: string;
            /** @description A new customer, or the one with this `reference`; for a known customer use `customer_id` instead. */
            customer?: components["schemas"]["CreateCustomer"];
            /**
             * @description Free-form, at most 16 KiB as JSON.
             * @example {
             *       "order_id": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            payment_method?: components["schemas"]["PaymentMethod"];
            /**
             * @description The payer's device and billing address, for the provider's risk checks. Stored only encrypted, while the charge may have to be
             *     repeated, and never shown.
             */
            payer?: components["schemas"]["Payer"];
            /**
             * @description The text on the payer's statement, in ASCII. Providers show as much of it as they can.
             * @example EXAMPLE ORDER 1001
             */
            statement_descriptor?: string;
        };
        CreateRefund: {
            /**
             * @description Sent to the provider where it takes one.
             * @example Customer returned the goods
             */
            reason?: string;
            /**
             * Format: double
             * @description Greater than 0, with at most as many decimals as the currency has, and at most the remaining amount of the captured amount.
             *     If omitted: the remaining amount.
             * @example 10
             */
            amount?: number;
            /**
             * @description Free-form, at most 16 KiB as JSON.
             * @example {
             *       "return_id": "R-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description `true`: refund although disputes and refunds together exceed the captured amount.
             * @example false
             */
            confirm?: boolean;
        };
        CreateSandboxCapture: {
            /**
             * Format: double
             * @description At most the authorised amount; the rest is released. If omitted: all of it.
             * @example 30
             */
            amount?: number;
        };
        CreateSandboxDispute: {
            /**
             * @description Default: `"chargeback"`.
             * @example chargeback
             */
            kind?: components["schemas"]["DisputeKind"];
            /**
             * Format: double
             * @description At most the captured amount that is not disputed. If omitted: all of it.
             * @example 10
             */
            amount?: number;
            /**
             * Format: date-time
             * @description If omitted: in seven days.
             * @example 2026-12-01T23:59:59Z
             */
            evidence_due_by?: string;
            /**
             * @description Default: `"fraudulent"`.
             * @example fraudulent
             */
            reason_code?: string;
            /**
             * @description The card network's code.
             * @example 10.4
             */
            network_reason_code?: string;
        };
        CreateSandboxRefund: {
            /**
             * Format: double
             * @description At most the captured amount that is left. If omitted: all of it.
             * @example 10
             */
            amount?: number;
        };
        CreateShop: {
            /**
             * @description Unique among the merchant's shops.
             * @example Main shop
             */
            name: string;
            /**
             * @description The payment provider; it cannot be changed later. Default: `"sandbox"`.
             * @example sandbox
             */
            provider?: string;
            /**
             * @description The credentials for the provider; never returned. The sandbox accepts `notification_secret`, and `simulate`, which makes it answer every payment like a test token. Default: `{}`.
             * @example {
             *       "notification_secret": "a-secret-for-notifications"
             *     }
             */
            provider_credentials?: {
                [key: string]: unknown;
            };
            /**
             * @description The label of the shop's account at its provider. Shops of one account accept the same payment method tokens, and
             *     `payment_method.options` of payments name it. Absent: the label of the account's other shops, or else the provider's
             *     own id of the account, or `default` if the provider does not tell it.
             * @example eu
             */
            provider_account?: string;
            /**
             * @description The secret that signs webhooks: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. Generated if absent.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret?: string;
            /** @description The provider's fees, for routing by cost and for backtests: at most 50, each for other payments. If omitted: unknown. */
            fees?: components["schemas"]["Fee"][];
        };
        CreatedEndpoint: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description `standing`: created with `POST /webhooks/endpoints`. `payment`: named by payments.
             * @example payment
             */
            kind: components["schemas"]["EndpointKind"];
            /**
             * @description `json`: the body of the event. `slack`: a message for a chat.
             * @example json
             */
            format: components["schemas"]["EndpointFormat"] | null;
            /**
             * @description `paused` by `POST …/pause`, `disabled` by the service. What arises meanwhile is sent after `POST …/resume`.
             * @example active
             */
            state: components["schemas"]["EndpointState"] | null;
            /**
             * @description Why the service disabled it. `gone`: it answered 410. `failing`: it failed for days. Otherwise `null`.
             * @example gone
             */
            state_reason: components["schemas"]["EndpointStateReason"] | null;
            /**
             * @description `erring`: a delivery failed twice or for good, and no delivery has succeeded since then. `failing`: the same for five minutes; `GET /events` announces it.
             * @example healthy
             */
            status: components["schemas"]["EndpointStatus"];
            /**
             * Format: double
             * @description Percentage of attempts that were answered with 2xx, with two decimals; `null` without attempts.
             * @example 99.2
             */
            success_rate: number | null;
            /**
             * Format: int64
             * @description `null` for a standing endpoint.
             * @example 3
             */
            shop_id: number | null;
            /**
             * @description `null` for a standing endpoint.
             * @example Main shop
             */
            shop_name: string | null;
            /**
             * @description Scheme, host and port. All addresses of the shop with this origin are one endpoint. The counts of a standing endpoint are of its present origin.
             * @example https://merchant.example
             */
            origin: string;
            /**
             * @description The address of a standing endpoint.
             * @example https://merchant.example/webhooks
             */
            url: string | null;
            /**
             * @description A text for people.
             * @example Order service
             */
            description: string | null;
            /**
             * @description The shops whose events a standing endpoint gets; `null`: of all shops, and events of no shop.
             * @example [
             *       3,
             *       5
             *     ]
             */
            shop_ids: number[] | null;
            /**
             * @description The types of events that it gets.
             * @example [
             *       "payment.status_changed"
             *     ]
             */
            event_types: string[] | null;
            /**
             * @description Names of the merchant's own headers; the values are never returned.
             * @example [
             *       "X-Environment"
             *     ]
             */
            header_names: string[] | null;
            /** @description `null`: none. */
            auth: components["schemas"]["PublicEndpointAuth"] | null;
            /**
             * Format: int64
             * @description Requests per second that the endpoint gets at most; `null`: no limit of its own.
             * @example 50
             */
            max_per_second: number | null;
            /**
             * @description Whether deliveries that failed for good are sent again when the endpoint recovers.
             * @example true
             */
            redeliver_on_recovery: boolean | null;
            /**
             * Format: date-time
             * @description When its state changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            state_changed_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string | null;
            /** @description Start of the failure; `null` for a healthy endpoint. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Start of the counts: the current hour and the 23 hours before it.
             * @example 2026-11-21T02:00:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @description The number of attempts.
             * @example 1250
             */
            attempts: number;
            /**
             * Format: int64
             * @description Successful deliveries.
             * @example 1240
             */
            delivered: number;
            /**
             * Format: int64
             * @description Deliveries that failed for good.
             * @example 2
             */
            failed: number;
            /**
             * Format: int64
             * @description Median answer time in ms, for answers with any status; `null` without answers. Accurate to 10 %.
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @description 95 of 100 answers came within these milliseconds.
             * @example 180
             */
            answer_ms_p95: number | null;
            /**
             * Format: int64
             * @description Pending deliveries, counted up to 1,000.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Due time of the oldest due delivery; `null` if none is due.
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` if no delivery is pending.
             */
            next_attempt_at: string | null;
            /** @description Failures since `since` by code, latest first, at most five. */
            errors: components["schemas"]["EndpointError"][];
            /**
             * @description The secret that signs the endpoint's webhooks.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
        };
        CreatedEndpointResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["CreatedEndpoint"];
        };
        CreatedOAuthClient: {
            /**
             * @description `person`: signs in to the console.
             * @example program
             */
            kind: components["schemas"]["ClientKind"];
            /**
             * @description The role that gives the scopes, also those of later versions; `custom`: the scopes are its own.
             * @example developer
             */
            role: components["schemas"]["ClientRole"];
            /**
             * @description The maximum scopes of its tokens.
             * @example [
             *       "payments:read",
             *       "payments:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description The client's id in token requests.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string;
            /**
             * @description The name of it.
             * @example checkout
             */
            name: string;
            /**
             * @description The client that made it; `null`: the command line, or the first start.
             * @example client_7b1f
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of its name, kind, rights or secret, or its revocation.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Since when it gets no tokens and its tokens no longer work; `null`: active.
             */
            revoked_at: string | null;
            /**
             * @description Shown only in this answer.
             * @example secret_6f0a…
             */
            client_secret: string;
        };
        CreatedOAuthClientResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["CreatedOAuthClient"];
        };
        CreatedShop: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description How webhooks are signed: only with the webhook secret, or also with the shop's own key.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /**
             * @description The secret that signs the shop's webhooks.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret: string;
            /**
             * @description The name of it.
             * @example Main shop
             */
            name: string;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of its account at the provider: shops of one account accept the same payment method tokens.
             * @example eu
             */
            provider_account: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * @description `false`: the module of its provider is not loaded, so it takes no payments and its provider is not asked.
             * @example true
             */
            available: boolean;
            /** @description The provider's fees, for routing by cost and for backtests; empty: unknown. */
            fees: components["schemas"]["Fee"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        CreatedShopResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["CreatedShop"];
        };
        CredentialError: {
            /**
             * @description The name of the credential.
             * @example secret_key
             */
            field: string;
            /**
             * @description The reason, for people.
             * @example is not a key that Stripe knows, or it was revoked
             */
            message: string;
        };
        /** @enum {string} */
        CredentialUse: "calls" | "notifications";
        CredentialsCheck: {
            /**
             * @description `accepted`: the provider accepts them; `refused`: `errors` lists the refused ones; `unknown`: the provider did not check them, see `reason`.
             * @example accepted
             */
            outcome: components["schemas"]["CredentialsCheckOutcome"];
            /** @description What is wrong. */
            errors: components["schemas"]["CredentialError"][];
            /** @description The reason why the outcome is unknown; otherwise `null`. */
            reason: string | null;
            /**
             * @description Credentials of the shop that only a notification can verify.
             * @example [
             *       "webhook_secret"
             *     ]
             */
            unchecked: string[];
        };
        /** @enum {string} */
        CredentialsCheckOutcome: "accepted" | "refused" | "unknown";
        CredentialsCheckResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["CredentialsCheck"];
        };
        /** @description Tests of the ISO 4217 code. All given tests must pass; at least one is required. */
        CurrencyTest: {
            /** @description Exactly this value. */
            equals?: string;
            /** @description One of these values, without duplicates. */
            in?: string[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: string | string[];
        };
        Customer: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description Your own id of the customer; no personal data. If you already have a customer with this id, it is used: the given
             *     fields replace the stored ones, the others stay. Without it every payment creates a customer.
             * @example user-4711
             */
            reference?: string;
            /**
             * @description As the payer wrote it. The format is not checked, so it never makes a payment fail. Control characters are removed.
             * @example +44 20 7946 0958
             */
            phone?: string;
            /**
             * @description The first name.
             * @example Ada
             */
            first_name?: string;
            /**
             * @description The last name.
             * @example Lovelace
             */
            last_name?: string;
            /**
             * @description The whole name, if it is not the two names together.
             * @example Ada Lovelace
             */
            full_name?: string;
            /**
             * @description Street and number.
             * @example 12 Queen Square
             */
            address?: string;
            /**
             * @description The city of the address.
             * @example London
             */
            city?: string;
            /**
             * @description The region or state of the address.
             * @example Greater London
             */
            region?: string;
            /**
             * @description The postal code of the address.
             * @example SW1Y 4JH
             */
            postal_code?: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example GB
             */
            country_code?: string;
            /**
             * Format: date
             * @description YYYY-MM-DD.
             * @example 1985-12-10
             */
            date_of_birth?: string;
            /**
             * @description In your own words.
             * @example female
             */
            gender?: string;
            /**
             * @description The company of the customer.
             * @example Analytical Engines Ltd
             */
            company?: string;
            /**
             * @description The VAT number.
             * @example GB123456789
             */
            vat_number?: string;
            /**
             * Format: email
             * @description The e-mail address.
             * @example ada@example.com
             */
            email?: string;
        };
        /** @description Tests of the customer's id. All given tests must pass; at least one is required. */
        CustomerIdTest: {
            /**
             * Format: int64
             * @description Exactly this value.
             */
            equals?: number;
            /** @description One of these values, without duplicates. */
            in?: number[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: number | number[];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        DecisionProbe: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description Whether the shop got the payment.
             * @example false
             */
            let_through: boolean;
        };
        DeclineCode: {
            /**
             * @description The party that caused it: the payer's card or account; the shop and its provider; the issuer's decision; or the
             *     shop's configuration, if its account at the provider does not have the payment method.
             * @example payer
             */
            party: components["schemas"]["DeclineParty"];
            /**
             * @description One list of codes for all providers; other codes are the provider's own.
             * @example insufficient_funds
             */
            code: string;
            /**
             * Format: int64
             * @description In the last 24 hours.
             * @example 3
             */
            last_day: number;
            /**
             * Format: int64
             * @description In the last 7 days.
             * @example 17
             */
            last_week: number;
        };
        DeclineCount: {
            /**
             * @description The code, for programs.
             * @example insufficient_funds
             */
            code: string;
            /**
             * Format: int64
             * @description How many there were.
             * @example 7
             */
            count: number;
        };
        /** @enum {string} */
        DeclineParty: "payer" | "shop" | "issuer" | "configuration";
        DeliveriesByMinute: {
            /**
             * @description The beginning of the first minute.
             * @example 2026-11-22T00:03:00.000Z
             */
            from: string;
            /** @description 60 minutes, oldest first; the last one is the current minute. Attempts of the last two seconds may be missing. */
            minutes: components["schemas"]["MinuteOfDeliveries"][];
        };
        Delivery: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 90210
             */
            id: number;
            /**
             * @description The status of the payment that the webhook reports; `null` for other events.
             * @example completed
             */
            payment_status: components["schemas"]["PaymentStatus"] | null;
            /** @example delivered */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Why the latest attempt had no answer, such as `timeout` (the tag webhooks lists all codes); `null` if it had one. */
            last_error: components["schemas"]["DeliveryError"] | null;
            /**
             * @description The header `webhook-id` of every attempt, the same after a retry, so that a receiver can drop duplicates. `whd_` and a UUIDv7, which is globally unique. Deliveries from before this format have a number.
             * @example whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57
             */
            webhook_id: string;
            /**
             * Format: int64
             * @description The shop of the payment; `null` for an event of no shop.
             * @example 1
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null` for an event of no payment.
             * @example 4711
             */
            payment_id: number | null;
            /**
             * @description The type of the event.
             * @example payment.status_changed
             */
            event: string;
            /**
             * Format: int64
             * @description The standing endpoint of the receiver; `null`: the payment's own address.
             * @example 7
             */
            endpoint_id: number | null;
            /**
             * @description The address of the receiver, as it was when the event happened. Without path and query for a token without the scope `webhooks:read`.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string;
            /**
             * Format: int64
             * @description Number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: int64
             * @deprecated
             * @description The former name of `attempt_count`. In a single delivery, `attempts` is the list of its attempts.
             * @example 1
             */
            attempts: number;
            /**
             * Format: int64
             * @description Status code of the latest attempt; `null` if it had no answer.
             * @example 200
             */
            last_status_code: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last sent.
             * @example 2026-11-21T01:02:03.460Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` if there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When a receiver accepted it.
             * @example 2026-11-21T01:02:03.502Z
             */
            delivered_at: string | null;
        };
        DeliveryAttempt: {
            /** @description Why there was no answer, such as `timeout` (the tag webhooks lists all codes); `null` if there was one. */
            error: components["schemas"]["DeliveryError"] | null;
            /**
             * Format: int64
             * @description Number of the attempt, from 1. Manual retries continue the count.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T01:02:03.460Z
             */
            started_at: string;
            /**
             * Format: int64
             * @description How long it took, in milliseconds.
             * @example 42
             */
            duration_ms: number;
            /**
             * Format: int64
             * @description The HTTP status of the answer.
             * @example 200
             */
            status_code: number | null;
            /**
             * @description A sentence about `error`; `null`: nothing more is known.
             * @example the token endpoint answered 401 (invalid_client)
             */
            error_message: string | null;
            /**
             * @description The first 4 KiB of the answer; `null` if there was none.
             * @example ok
             */
            response_body: string | null;
        };
        DeliveryDetail: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 90210
             */
            id: number;
            /**
             * @description The status of the payment that the webhook reports; `null` for other events.
             * @example completed
             */
            payment_status: components["schemas"]["PaymentStatus"] | null;
            /** @example delivered */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Why the latest attempt had no answer, such as `timeout` (the tag webhooks lists all codes); `null` if it had one. */
            last_error: components["schemas"]["DeliveryError"] | null;
            /**
             * @description The header `webhook-id` of every attempt, the same after a retry, so that a receiver can drop duplicates. `whd_` and a UUIDv7, which is globally unique. Deliveries from before this format have a number.
             * @example whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57
             */
            webhook_id: string;
            /**
             * Format: int64
             * @description The shop of the payment; `null` for an event of no shop.
             * @example 1
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null` for an event of no payment.
             * @example 4711
             */
            payment_id: number | null;
            /**
             * @description The type of the event.
             * @example payment.status_changed
             */
            event: string;
            /**
             * Format: int64
             * @description The standing endpoint of the receiver; `null`: the payment's own address.
             * @example 7
             */
            endpoint_id: number | null;
            /**
             * @description The address of the receiver, as it was when the event happened. Without path and query for a token without the scope `webhooks:read`.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string;
            /**
             * Format: int64
             * @description Number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: int64
             * @description Status code of the latest attempt; `null` if it had no answer.
             * @example 200
             */
            last_status_code: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last sent.
             * @example 2026-11-21T01:02:03.460Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` if there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When a receiver accepted it.
             * @example 2026-11-21T01:02:03.502Z
             */
            delivered_at: string | null;
            /**
             * @description The exact body of every attempt; empty after the customer was erased.
             * @example {"event":"payment.status_changed"}
             */
            request_body: string;
            /** @description Oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryDetailResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["DeliveryDetail"];
        };
        /** @enum {string} */
        DeliveryError: "invalid_url" | "https_required" | "forbidden_port" | "forbidden_address" | "dns_failed" | "dns_timeout" | "connect_failed" | "connect_timeout" | "tls_failed" | "tls_invalid" | "timeout" | "connection_reset" | "invalid_response" | "headers_too_large" | "auth_failed" | "local_failure" | "shutting_down" | "endpoint_deleted" | "parked_too_long" | "customer_erased";
        DeliveryFailedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "delivery.failed";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["FailedDelivery"];
        };
        DeliveryPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Delivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        DeliveryResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Delivery"];
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        Difference: {
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 49.9
             */
            amount: number;
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-20T01:02:03.456Z
             */
            created_at: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string | null;
            /**
             * Format: int64
             * @description `null`: a rule declined it.
             * @example 3
             */
            from_shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: no shop takes it, or a rule declines it.
             * @example 5
             */
            to_shop_id: number | null;
            /** @description The reasons of the draft's decision; `GET /payments/{id}/decision` has those of the original one. */
            explanation: components["schemas"]["Explanation"];
        };
        DisabledEndpoint: {
            /**
             * Format: int64
             * @description The id of the standing endpoint.
             */
            endpoint_id: number;
            /** @description Scheme, host and port. */
            webhook_endpoint: string;
            /** @description `gone`: it answered 410. `failing`: it had no success for too long. */
            reason: components["schemas"]["EndpointDisabledReason"];
            /**
             * Format: date-time
             * @description When it was disabled.
             */
            disabled_at: string;
            /**
             * Format: date-time
             * @description The first of its failures in a row.
             */
            failing_since: string;
        };
        Dispute: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 42
             */
            id: number;
            /**
             * @description `inquiry`: the issuer asks for information, and no money has moved. `chargeback`: the amount was taken back.
             *     `pre_arbitration`: the issuer contests the evidence against a chargeback. It only moves in this order.
             * @example chargeback
             */
            kind: components["schemas"]["DisputeKind"];
            /**
             * @description `open`: submit evidence at the provider before `evidence_due_by`. `under_review`: it was submitted. `won`: the
             *     amount stays with you. `lost` or `accepted`: the amount went back to the payer.
             * @example open
             */
            status: components["schemas"]["DisputeStatus"];
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 49.9
             */
            amount: number;
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The shop that was charged.
             * @example 3
             */
            shop_id: number;
            /**
             * Format: int64
             * @description The number of the disputed attempt, from 1; the payment may have moved to another shop.
             * @example 1
             */
            attempt: number;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The provider's id, to find the dispute there.
             * @example dp_1
             */
            provider_dispute_id: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description The provider's code for the reason.
             * @example fraudulent
             */
            reason_code: string | null;
            /**
             * @description The card network's code for the reason.
             * @example 10.4
             */
            network_reason_code: string | null;
            /**
             * @description `null`: the provider has reported none.
             * @example 2026-12-01T23:59:59.000Z
             */
            evidence_due_by: string | null;
            /**
             * Format: date-time
             * @description When it was opened.
             * @example 2026-11-21T01:02:03.456Z
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        DisputeClosedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "dispute.closed";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["DisputeState"];
        };
        DisputeDueWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "dispute.due";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["DisputeState"];
        };
        /** @enum {string} */
        DisputeKind: "inquiry" | "chargeback" | "pre_arbitration";
        DisputeListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Dispute"][];
        };
        DisputeOpenedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "dispute.opened";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["DisputeState"];
        };
        DisputePage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Dispute"][];
            pagination: components["schemas"]["Pagination"];
        };
        DisputeResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Dispute"];
        };
        /** @description The dispute, as `GET /disputes/{id}` answered it then. */
        DisputeState: {
            /**
             * Format: int64
             * @description The id of it.
             */
            id: number;
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The id of the shop.
             */
            shop_id: number;
            /**
             * Format: int64
             * @description The number of the attempt, from 1.
             */
            attempt: number;
            /** @description The name of the payment provider. */
            provider: string;
            /** @description The provider's id of the dispute. */
            provider_dispute_id: string;
            kind: components["schemas"]["DisputeKind"];
            status: components["schemas"]["DisputeStatus"];
            /**
             * Format: double
             * @description In the major unit of the currency.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description The provider's code for the reason. */
            reason_code: string | null;
            /** @description The card network's code for the reason. */
            network_reason_code: string | null;
            /**
             * Format: date-time
             * @description Until when evidence can be submitted.
             */
            evidence_due_by: string | null;
            /**
             * Format: date-time
             * @description When it was opened.
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @enum {string} */
        DisputeStatus: "open" | "under_review" | "won" | "lost" | "accepted";
        DisputeUpdatedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "dispute.updated";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["DisputeState"];
        };
        EndRollout: {
            /**
             * @description Why it ends; shown with the rollout and in the audit log.
             * @example Berlin approves more
             */
            reason?: string;
        };
        Endpoint: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description `standing`: created with `POST /webhooks/endpoints`. `payment`: named by payments.
             * @example payment
             */
            kind: components["schemas"]["EndpointKind"];
            /**
             * @description `json`: the body of the event. `slack`: a message for a chat.
             * @example json
             */
            format: components["schemas"]["EndpointFormat"] | null;
            /**
             * @description `paused` by `POST …/pause`, `disabled` by the service. What arises meanwhile is sent after `POST …/resume`.
             * @example active
             */
            state: components["schemas"]["EndpointState"] | null;
            /**
             * @description Why the service disabled it. `gone`: it answered 410. `failing`: it failed for days. Otherwise `null`.
             * @example gone
             */
            state_reason: components["schemas"]["EndpointStateReason"] | null;
            /**
             * @description `erring`: a delivery failed twice or for good, and no delivery has succeeded since then. `failing`: the same for five minutes; `GET /events` announces it.
             * @example healthy
             */
            status: components["schemas"]["EndpointStatus"];
            /**
             * Format: double
             * @description Percentage of attempts that were answered with 2xx, with two decimals; `null` without attempts.
             * @example 99.2
             */
            success_rate: number | null;
            /**
             * Format: int64
             * @description `null` for a standing endpoint.
             * @example 3
             */
            shop_id: number | null;
            /**
             * @description `null` for a standing endpoint.
             * @example Main shop
             */
            shop_name: string | null;
            /**
             * @description Scheme, host and port. All addresses of the shop with this origin are one endpoint. The counts of a standing endpoint are of its present origin.
             * @example https://merchant.example
             */
            origin: string;
            /**
             * @description The address of a standing endpoint.
             * @example https://merchant.example/webhooks
             */
            url: string | null;
            /**
             * @description A text for people.
             * @example Order service
             */
            description: string | null;
            /**
             * @description The shops whose events a standing endpoint gets; `null`: of all shops, and events of no shop.
             * @example [
             *       3,
             *       5
             *     ]
             */
            shop_ids: number[] | null;
            /**
             * @description The types of events that it gets.
             * @example [
             *       "payment.status_changed"
             *     ]
             */
            event_types: string[] | null;
            /**
             * @description Names of the merchant's own headers; the values are never returned.
             * @example [
             *       "X-Environment"
             *     ]
             */
            header_names: string[] | null;
            /** @description `null`: none. */
            auth: components["schemas"]["PublicEndpointAuth"] | null;
            /**
             * Format: int64
             * @description Requests per second that the endpoint gets at most; `null`: no limit of its own.
             * @example 50
             */
            max_per_second: number | null;
            /**
             * @description Whether deliveries that failed for good are sent again when the endpoint recovers.
             * @example true
             */
            redeliver_on_recovery: boolean | null;
            /**
             * Format: date-time
             * @description When its state changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            state_changed_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string | null;
            /** @description Start of the failure; `null` for a healthy endpoint. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Start of the counts: the current hour and the 23 hours before it.
             * @example 2026-11-21T02:00:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @description The number of attempts.
             * @example 1250
             */
            attempts: number;
            /**
             * Format: int64
             * @description Successful deliveries.
             * @example 1240
             */
            delivered: number;
            /**
             * Format: int64
             * @description Deliveries that failed for good.
             * @example 2
             */
            failed: number;
            /**
             * Format: int64
             * @description Median answer time in ms, for answers with any status; `null` without answers. Accurate to 10 %.
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @description 95 of 100 answers came within these milliseconds.
             * @example 180
             */
            answer_ms_p95: number | null;
            /**
             * Format: int64
             * @description Pending deliveries, counted up to 1,000.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Due time of the oldest due delivery; `null` if none is due.
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` if no delivery is pending.
             */
            next_attempt_at: string | null;
            /** @description Failures since `since` by code, latest first, at most five. */
            errors: components["schemas"]["EndpointError"][];
        };
        EndpointAuth: {
            /**
             * @description `basic`: `username` and `password`. `bearer`: `token`. `oauth2_client_credentials`: `token_url`, `client_id`, `client_secret`, and optional `scope`, `audience`, `resource`, `client_authentication`.
             * @example bearer
             */
            type: components["schemas"]["EndpointAuthType"];
            /**
             * Format: uri
             * @description The token endpoint, where the service gets access tokens.
             * @example https://login.merchant.example/token
             */
            token_url?: string;
            /**
             * @description Where the token endpoint gets `client_id` and `client_secret`: form-encoded in HTTP Basic (RFC 6749, 2.3.1), the default, or in the `body`.
             * @example basic
             */
            client_authentication?: components["schemas"]["ClientAuthentication"];
            /**
             * @description The user name at the receiver.
             * @example orders
             */
            username?: string;
            /**
             * @description The password of the receiver; never shown.
             * @example a-password-for-webhooks
             */
            password?: string;
            /**
             * @description The bearer token of the receiver; never shown.
             * @example a-token-for-webhooks
             */
            token?: string;
            /**
             * @description The id of the OAuth client.
             * @example webhooks
             */
            client_id?: string;
            /**
             * @description The secret of the OAuth client; never shown.
             * @example a-client-secret
             */
            client_secret?: string;
            /**
             * @description The scope to ask for.
             * @example events.write
             */
            scope?: string;
            /**
             * @description Sent to the token endpoint as it is: Auth0 and others require it.
             * @example https://hooks.merchant.example
             */
            audience?: string;
            /**
             * @description The receiver as an absolute URI without a fragment (RFC 8707).
             * @example https://hooks.merchant.example
             */
            resource?: string;
        };
        /** @enum {string} */
        EndpointAuthType: "basic" | "bearer" | "oauth2_client_credentials";
        EndpointDetail: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description `standing`: created with `POST /webhooks/endpoints`. `payment`: named by payments.
             * @example payment
             */
            kind: components["schemas"]["EndpointKind"];
            /**
             * @description `json`: the body of the event. `slack`: a message for a chat.
             * @example json
             */
            format: components["schemas"]["EndpointFormat"] | null;
            /**
             * @description `paused` by `POST …/pause`, `disabled` by the service. What arises meanwhile is sent after `POST …/resume`.
             * @example active
             */
            state: components["schemas"]["EndpointState"] | null;
            /**
             * @description Why the service disabled it. `gone`: it answered 410. `failing`: it failed for days. Otherwise `null`.
             * @example gone
             */
            state_reason: components["schemas"]["EndpointStateReason"] | null;
            /**
             * @description `erring`: a delivery failed twice or for good, and no delivery has succeeded since then. `failing`: the same for five minutes; `GET /events` announces it.
             * @example healthy
             */
            status: components["schemas"]["EndpointStatus"];
            /**
             * Format: double
             * @description Percentage of attempts that were answered with 2xx, with two decimals; `null` without attempts.
             * @example 99.2
             */
            success_rate: number | null;
            /**
             * Format: int64
             * @description `null` for a standing endpoint.
             * @example 3
             */
            shop_id: number | null;
            /**
             * @description `null` for a standing endpoint.
             * @example Main shop
             */
            shop_name: string | null;
            /**
             * @description Scheme, host and port. All addresses of the shop with this origin are one endpoint. The counts of a standing endpoint are of its present origin.
             * @example https://merchant.example
             */
            origin: string;
            /**
             * @description The address of a standing endpoint.
             * @example https://merchant.example/webhooks
             */
            url: string | null;
            /**
             * @description A text for people.
             * @example Order service
             */
            description: string | null;
            /**
             * @description The shops whose events a standing endpoint gets; `null`: of all shops, and events of no shop.
             * @example [
             *       3,
             *       5
             *     ]
             */
            shop_ids: number[] | null;
            /**
             * @description The types of events that it gets.
             * @example [
             *       "payment.status_changed"
             *     ]
             */
            event_types: string[] | null;
            /**
             * @description Names of the merchant's own headers; the values are never returned.
             * @example [
             *       "X-Environment"
             *     ]
             */
            header_names: string[] | null;
            /** @description `null`: none. */
            auth: components["schemas"]["PublicEndpointAuth"] | null;
            /**
             * Format: int64
             * @description Requests per second that the endpoint gets at most; `null`: no limit of its own.
             * @example 50
             */
            max_per_second: number | null;
            /**
             * @description Whether deliveries that failed for good are sent again when the endpoint recovers.
             * @example true
             */
            redeliver_on_recovery: boolean | null;
            /**
             * Format: date-time
             * @description When its state changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            state_changed_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string | null;
            /** @description Start of the failure; `null` for a healthy endpoint. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Start of the counts: the current hour and the 23 hours before it.
             * @example 2026-11-21T02:00:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @description The number of attempts.
             * @example 1250
             */
            attempts: number;
            /**
             * Format: int64
             * @description Successful deliveries.
             * @example 1240
             */
            delivered: number;
            /**
             * Format: int64
             * @description Deliveries that failed for good.
             * @example 2
             */
            failed: number;
            /**
             * Format: int64
             * @description Median answer time in ms, for answers with any status; `null` without answers. Accurate to 10 %.
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @description 95 of 100 answers came within these milliseconds.
             * @example 180
             */
            answer_ms_p95: number | null;
            /**
             * Format: int64
             * @description Pending deliveries, counted up to 1,000.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Due time of the oldest due delivery; `null` if none is due.
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` if no delivery is pending.
             */
            next_attempt_at: string | null;
            /** @description Failures since `since` by code, latest first, at most five. */
            errors: components["schemas"]["EndpointError"][];
            /**
             * @description The secret of a standing endpoint that signs now; otherwise `null`, and for a token without the scope `webhooks:secrets`.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string | null;
            /**
             * @description When the latest secret begins to sign; `null`: it signs already.
             * @example 2026-11-21T02:02:03.456Z
             */
            secret_active_from: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs, too; `null`: it does not sign.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: int64
             * @description Payments of its shops that are `pending` or `processing` and have no `webhook_endpoint`: deleting a standing endpoint before it is 0 loses their changes. `null` for payments' addresses, and while the merchant has 10,000 open payments or more.
             * @example 12
             */
            open_payments: number | null;
            /** @description Hours with at least one attempt, oldest first. */
            hours: components["schemas"]["EndpointHour"][];
        };
        EndpointDetailResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["EndpointDetail"];
        };
        /** @enum {string} */
        EndpointDisabledReason: "gone" | "failing";
        EndpointDisabledWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "endpoint.disabled";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["DisabledEndpoint"];
        };
        EndpointError: {
            /**
             * @description Why there was no answer, such as `timeout` (the tag webhooks lists all codes), or the status code of the answer.
             * @example connect_failed
             */
            code: string;
            /**
             * Format: int64
             * @description Number of attempts that failed with this code.
             * @example 12
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the latest of these attempts began.
             * @example 2026-11-21T01:02:03.460Z
             */
            last_at: string;
            /**
             * Format: int64
             * @description The delivery of the latest of these attempts.
             * @example 90210
             */
            last_delivery_id: number;
            /**
             * @description A sentence about the latest of these attempts, such as the token endpoint's status and error of `auth_failed`; `null`: nothing more is known.
             * @example the connection was refused
             */
            last_message: string | null;
        };
        EndpointFailingWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "endpoint.failing";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["FailingEndpoint"];
        };
        /** @enum {string} */
        EndpointFormat: "json" | "slack";
        EndpointHour: {
            /**
             * @description The start of the hour.
             * @example 2026-11-21T01:00:00.000Z
             */
            hour: string;
            /**
             * Format: int64
             * @description The number of attempts.
             * @example 52
             */
            attempts: number;
            /**
             * Format: int64
             * @description The number that were delivered.
             * @example 50
             */
            delivered: number;
            /**
             * Format: int64
             * @description The number that failed.
             * @example 0
             */
            failed: number;
            /**
             * Format: int64
             * @description Half of the answers came within these milliseconds.
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @description 95 of 100 answers came within these milliseconds.
             * @example 180
             */
            answer_ms_p95: number | null;
        };
        /** @enum {string} */
        EndpointKind: "standing" | "payment";
        EndpointPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Endpoint"][];
            pagination: components["schemas"]["Pagination"];
        };
        EndpointRecoveredWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "endpoint.recovered";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["RecoveredEndpoint"];
        };
        EndpointResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Endpoint"];
        };
        /** @enum {string} */
        EndpointState: "active" | "paused" | "disabled";
        /** @enum {string} */
        EndpointStateReason: "gone" | "failing";
        /** @enum {string} */
        EndpointStatus: "healthy" | "erring" | "failing";
        Erasure: {
            /**
             * @description `pending`: webhooks of the customer are still pending, or the last pass is still to come; the worker redacts the
             *     remaining data. Repeat the call for the present state.
             * @example pending
             */
            status: components["schemas"]["ErasureStatus"];
            /**
             * Format: int64
             * @description The id of the customer.
             * @example 7
             */
            customer_id: number;
            /**
             * Format: date-time
             * @description Time of the first request.
             * @example 2026-11-21T01:02:03.456Z
             */
            erased_at: string;
        };
        ErasureResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Erasure"];
        };
        /** @enum {string} */
        ErasureStatus: "pending" | "completed";
        EstimatedRate: {
            /**
             * Format: double
             * @description The estimate.
             * @example 0.8912
             */
            estimate: number;
            /**
             * Format: double
             * @description The lower bound.
             * @example 0.8733
             */
            low: number;
            /**
             * Format: double
             * @description The upper bound.
             * @example 0.9069
             */
            high: number;
        };
        Event: {
            /**
             * @description Unique across services, and the same each time the event is read.
             * @example evt_7d1f0a3c5e8b4f6d9a2c1e0f3b5d7a9c
             */
            id: string;
            /** @example payment.status_changed */
            type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             * @example 3
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             * @example 17
             */
            payment_id: number | null;
            /** @description Depends on `type`: `GET /webhooks/event-types` has an example of each, and the `webhooks` of this document the schemas. For `payment.status_changed` it is the body of the webhook. */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["EventPagination"];
        };
        EventPagination: {
            /** @description Send it as `after` to get the next page, also if there is no next event yet. */
            next_cursor: string;
            /** @description Whether another page can be read now. */
            has_more: boolean;
        };
        /** @enum {string} */
        EventType: "payment.status_changed" | "payment.amounts_changed" | "payment.late_charge" | "capture.failed" | "authorization.lapsing" | "refund.created" | "refund.updated" | "dispute.opened" | "dispute.updated" | "dispute.due" | "dispute.closed" | "operation.stuck" | "shop.down" | "shop.up" | "approvals.fell" | "delivery.failed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled" | "approval.requested" | "flow.activated" | "flow.rolled_back" | "flow.renamed";
        EventTypeDescription: {
            /** @example refund.created */
            name: components["schemas"]["EventType"];
            /**
             * @description When such an event is written.
             * @example a refund is requested, or was made at the provider
             */
            description: string;
            /**
             * @description A complete webhook body of this type, with `"test": true`.
             * @example {
             *       "event": "refund.created",
             *       "test": true
             *     }
             */
            example: {
                [key: string]: unknown;
            };
        };
        EventTypeDescriptionListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["EventTypeDescription"][];
        };
        ExplainedShop: {
            /**
             * @description The result of each test that a shop must pass; `rule`, only in flows with rules: whether the deciding rule names
             *     the shop; `no_payment_method`, only for payments that name accounts: whether they name the shop's; and
             *     `capability_missing`, only for payments with manual capture, or of a currency or `payment_method.type` that a
             *     provider of the flow does not accept: whether the shop's provider can do all of it.
             * @example {
             *       "disabled": "passed",
             *       "currency": "failed",
             *       "country": "passed",
             *       "min_amount": "passed",
             *       "max_amount": "passed",
             *       "unhealthy": "passed"
             *     }
             */
            tests: {
                disabled?: components["schemas"]["TestResult"];
                currency?: components["schemas"]["TestResult"];
                country?: components["schemas"]["TestResult"];
                min_amount?: components["schemas"]["TestResult"];
                max_amount?: components["schemas"]["TestResult"];
                no_payment_method?: components["schemas"]["TestResult"];
                capability_missing?: components["schemas"]["TestResult"];
                unhealthy?: components["schemas"]["TestResult"];
                rule?: components["schemas"]["TestResult"];
            };
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description Whether the shop was picked.
             * @example false
             */
            picked: boolean;
            /**
             * @description Only in simulations, for a shop that is not picked: the smallest single change that would have picked it; `null` if
             *     none was found. Changes are ordered by kind, then by distance. For an excluded shop: enable it, or make it healthy;
             *     then another request (the nearest `amount`, then `currency`, `country`, `payment_method` with one more option or another fact,
             *     `metadata`, `customer_id`); then its conditions, its priority or the rule in the flow. For a shop that may take the payment: its next pick
             *     (`at_counter`) or the smallest weight, then its settings, then disabling the picked shop, then another request,
             *     then lower `fees`.
             */
            smallest_change?: components["schemas"]["Change"] | null;
        };
        Explanation: {
            /**
             * @description The index of the deciding rule, or `default`; `null`: the flow has no rules, or no rule decides.
             * @example 0
             */
            rule: (number | "default") | null;
            /**
             * @description The rules before it that match, but none of whose shops takes the payment, so that the next one was tried. Empty in
             *     decisions of earlier releases.
             * @example [
             *       0
             *     ]
             */
            passed_over: number[];
            /**
             * @description `null`: no shop takes the payment, or it is declined or refused.
             * @example {
             *       "by": "weighted",
             *       "counter": 42,
             *       "cycle_position": 2,
             *       "cycle_length": 10
             *     }
             */
            reasoning: components["schemas"]["Reasoning"] | null;
            /**
             * Format: int64
             * @description `null`: a draft.
             * @example 1
             */
            flow_version: number | null;
            /** @description `null`: no rollout chose the version. */
            rollout: components["schemas"]["RolloutChoice"] | null;
            /** @example weighted */
            strategy: components["schemas"]["Strategy"];
            /**
             * @description Whether the deciding rule refuses the payment: none of its shops takes it, and it says `otherwise: refuse`.
             * @example false
             */
            refused: boolean;
            /** @description The decline of the deciding rule; `null`: it does not decline the payment. */
            declined: components["schemas"]["RuleDeclined"] | null;
            /** @description Every shop of the flow, by priority, then id. */
            shops: components["schemas"]["ExplainedShop"][];
            /**
             * @description Shop ids in the order in which they would be tried after the pick.
             * @example [
             *       5,
             *       7
             *     ]
             */
            fallbacks: number[];
            /**
             * @description Whether no shop was healthy, so that the pick is the shop with the lowest failure rate.
             * @example false
             */
            least_bad: boolean;
            /** @description A recovering shop that was picked first; `null`: none. */
            probed: components["schemas"]["ProbedShop"] | null;
        };
        FailedCapture: {
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The capture in `GET /payments/{id}/operations`.
             */
            operation_id: number;
            /**
             * Format: int64
             * @description The number of the attempt, from 1.
             */
            attempt: number;
            /** @description The name of the payment provider. */
            provider: string;
            /**
             * Format: double
             * @description The amount that was to be captured.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description The provider's reason. `settled_by_operator`: a person found that it had failed. */
            reason: string;
        };
        FailedDelivery: {
            /**
             * Format: int64
             * @description The id of the delivery.
             */
            delivery_id: number;
            /** @description The event that was not delivered. */
            event: string;
            /** @description `null`: the event was no change of status. */
            payment_status: string | null;
            /**
             * Format: int64
             * @description The standing endpoint; `null`: the payment's own address.
             */
            endpoint_id: number | null;
            /** @description Scheme, host and port. */
            webhook_endpoint: string;
            /**
             * Format: int64
             * @description The number of attempts.
             */
            attempts: number;
            /**
             * Format: int64
             * @description The HTTP status of the last answer.
             */
            last_status_code: number | null;
            /** @description The error of the last attempt. */
            last_error: string | null;
        };
        FailingEndpoint: {
            /**
             * Format: int64
             * @description `null`: addresses of payments with this origin.
             */
            endpoint_id: number | null;
            /** @description Scheme, host and port. */
            webhook_endpoint: string;
            /**
             * Format: date-time
             * @description The first of its failures in a row.
             */
            failing_since: string;
            /**
             * Format: int64
             * @description The HTTP status of the last answer.
             */
            last_status_code: number | null;
            /** @description The error of the last attempt. */
            last_error: string | null;
        };
        FallenApprovals: {
            /** @description The name of the shop. */
            shop_name: string;
            /** @description `null`: unknown. */
            card_scheme: string | null;
            /**
             * Format: double
             * @description Of the last 24 hours, from 0 to 1.
             */
            approval_rate: number;
            /**
             * Format: double
             * @description Of the 24 hours before.
             */
            approval_rate_before: number;
            /**
             * Format: int64
             * @description Attempts of the last 24 hours that have ended.
             */
            attempts: number;
            /**
             * Format: int64
             * @description Of the 24 hours before.
             */
            attempts_before: number;
            /**
             * Format: date-time
             * @description When the service found it.
             */
            fell_at: string;
        };
        FallenRate: {
            /**
             * Format: double
             * @description When it fell.
             * @example 0.71
             */
            approval_rate: number;
            /**
             * Format: double
             * @description The rate of the 24 hours before.
             * @example 0.92
             */
            approval_rate_before: number;
            /**
             * @description `null`: unknown.
             * @example visa
             */
            card_scheme: string | null;
            /**
             * Format: int64
             * @description Attempts in the 24 hours until it fell.
             * @example 240
             */
            attempts: number;
        };
        Fee: {
            /**
             * Format: double
             * @description The share of the amount, 0 to 100, at most four decimals.
             * @example 1.4
             */
            percent: number;
            /**
             * Format: double
             * @description In major units of `currency`, which is then required; at most four decimals. Default: `0`.
             * @example 0.25
             */
            fixed?: number;
            /**
             * @description Only payments in this currency.
             * @example EUR
             */
            currency?: string;
            /**
             * @description Only payments with this `payment_method.type`.
             * @example ideal
             */
            payment_method_type?: string;
            /**
             * @description Only payments with such a card, as `card.scheme` in rules.
             * @example maestro
             */
            scheme?: string;
        };
        FieldError: {
            /**
             * @description The name of the field, or its path.
             * @example shops[0].weight
             */
            field: string;
            /**
             * @description The reason, for people.
             * @example must not be less than 1, got 0
             */
            message: string;
        };
        /** @enum {string} */
        FinishedDeliveryStatus: "delivered" | "failed";
        Flow: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 12
             */
            id: number;
            /**
             * @description The capture of payments whose request has none; absent: `automatic`.
             * @example manual
             */
            capture?: components["schemas"]["CaptureMode"];
            /**
             * @description The name of it.
             * @example checkout
             */
            name: string;
            /** @example round_robin */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The active version; each change of strategy or shops creates the next one.
             * @example 1
             */
            version: number;
            /**
             * Format: int64
             * @description The number of payments that the flow has routed, without those of candidates; `null` for a strategy without a counter.
             * @example 42
             */
            counter: number | null;
            /** @description `null`: none is running. */
            rollout: components["schemas"]["RunningRollout"] | null;
            /** @description The shops of it. */
            shops: components["schemas"]["FlowMember"][];
            /** @description Only with the strategy `rules`. */
            rules?: components["schemas"]["Rule"][];
            /** @description Only with the strategy `rules`. */
            default?: components["schemas"]["RuleUse"];
            /** @description Only with the strategy `success_rate`, if it was given. */
            success_rate?: components["schemas"]["SuccessRate"];
            /**
             * Format: int64
             * @description The maximum number of shops that a payment is tried with, including the first; 1: no failover.
             * @example 3
             */
            max_attempts: number;
            /** @description The assertions that are checked before a version becomes active. */
            assertions: components["schemas"]["Assertion"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        FlowActivatedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "flow.activated";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["ActivatedFlow"];
        };
        FlowApprovalRequest: {
            /** @example waiting */
            status: components["schemas"]["ApprovalRequestStatus"];
            /**
             * @description The API client that asks.
             * @example client_0c8c1d1e6f0a
             */
            requested_by: string;
            /**
             * Format: date-time
             * @description When it was requested.
             * @example 2026-11-21T01:02:03.456Z
             */
            requested_at: string;
            /**
             * @description Those who are asked; none: everyone who may approve.
             * @example [
             *       "client_1d9e2f3a4b5c"
             *     ]
             */
            colleagues: string[];
            /**
             * @description The reason, for people.
             * @example Berlin costs less
             */
            message: string | null;
            /** @description The API client that approved, rejected or withdrew. */
            ended_by: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            ended_at: string | null;
            /** @description Why it ended. */
            end_reason: string | null;
        };
        FlowDefinition: {
            /**
             * @description How the flow chooses among the shops that may take a payment. `round_robin`: one shop after the other. `weighted`:
             *     each gets exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the shop with the
             *     lowest number; shops with equal numbers alternate. `sticky`: the same customer goes to the same shop, by weight;
             *     payments without a customer as `weighted`. `success_rate`: by recent approval rates. `lowest_cost`: the shop with the
             *     lowest fee for the payment; among equal fees by priority, shops without a known fee last. `rules`: the first of
             *     `rules` that matches and has a shop for the payment, declines or refuses it, otherwise `default`.
             * @example round_robin
             */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The maximum number of shops that a payment is tried with, including the first; default 1: no failover.
             * @example 3
             */
            max_attempts?: number;
            /**
             * @description When payments are captured whose request has no `capture`: with the charge, or by `POST /payments/{id}/capture`. If
             *     omitted: `automatic`.
             * @example automatic
             */
            capture?: components["schemas"]["CaptureMode"];
            /** @description 1 to 300 shops, without duplicates. */
            shops: components["schemas"]["FlowShop"][];
            /** @description For the strategy `rules`: at most 100, tried in order. */
            rules?: components["schemas"]["Rule"][];
            /** @description For the strategy `rules`, which requires it: the shops for payments that no rule has a shop for, declines or refuses. */
            default?: components["schemas"]["RuleUse"];
            /** @description Options of the strategy `success_rate`; refused with other strategies. */
            success_rate?: components["schemas"]["SuccessRate"];
            /**
             * @description At most 50; a version that breaks one of them is not activated. Assertions are checked for the flow only: shops
             *     that are disabled as a whole or unhealthy do not matter.
             */
            assertions?: components["schemas"]["Assertion"][];
        };
        FlowMember: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Berlin
             */
            shop_name: string;
            /**
             * Format: int64
             * @description The lower number is tried first.
             * @example 1
             */
            priority: number;
            /**
             * Format: int64
             * @description The share of payments, relative to the other shops.
             * @example 1
             */
            weight: number;
            /**
             * @description Whether the shop is enabled in this flow; the shop itself may still be disabled.
             * @example true
             */
            enabled: boolean;
            conditions: components["schemas"]["ShopConditions"];
        };
        FlowPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Flow"][];
            pagination: components["schemas"]["Pagination"];
        };
        FlowRenamedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "flow.renamed";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["RenamedFlow"];
        };
        FlowResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Flow"];
        };
        FlowRolledBackWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "flow.rolled_back";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["RolledBackFlow"];
        };
        FlowRules: {
            /**
             * Format: int64
             * @description The version of the flow.
             * @example 3
             */
            version: number;
            /**
             * Format: int64
             * @description The newest payments of the flow, at most 1000, which `conditions` and warnings about fields are from.
             * @example 1000
             */
            payments_checked: number;
            /**
             * Format: int64
             * @description The newest payments of the last 30 days, at most 10,000, which hits are counted from.
             * @example 3400
             */
            payments_counted: number;
            /** @description Whether there are more payments in the last 30 days than are counted. */
            is_truncated: boolean;
            /** @description In order, then the default; empty for a flow without rules. */
            rules: components["schemas"]["RuleFacts"][];
        };
        FlowRulesResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["FlowRules"];
        };
        FlowShop: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * Format: int64
             * @description The lowest number comes first. Default: `1`.
             * @example 1
             */
            priority?: number;
            /**
             * Format: int64
             * @description Default: `1`.
             * @example 1
             */
            weight?: number;
            /**
             * @description Whether the flow uses the shop. Default: `true`.
             * @example true
             */
            enabled?: boolean;
            conditions?: components["schemas"]["ShopConditions"];
        };
        FlowSimulation: {
            /**
             * @description Whether there is a shop for the payment.
             * @example true
             */
            success: boolean;
            flow: components["schemas"]["SimulatedFlow"];
            result: components["schemas"]["SimulationResult"];
            /**
             * @description The result of the simulation.
             * @example true
             */
            simulation: boolean;
            /** @description With `count`: the picks in order. */
            picks?: components["schemas"]["SimulatedPick"][];
            /** @description With `count`: every shop of the flow. */
            shares?: components["schemas"]["SimulatedShare"][];
            /** @description Present if the flow's picks depend on random numbers. */
            draws?: components["schemas"]["SimulatedDraws"];
            /** @description With `explain`. */
            explanation?: components["schemas"]["Explanation"];
        };
        FlowVersion: {
            /**
             * @description `draft`: never active so far; `candidate`: a running rollout gives it some payments; `retired`: was active, and can be activated again.
             * @example draft
             */
            status: components["schemas"]["FlowVersionStatus"];
            /**
             * @description The way of the version as a proposal. `rejected` and `withdrawn` can be proposed again. `superseded`: it was active, or is an older draft than the active version.
             * @example waiting
             */
            proposal_state: components["schemas"]["ProposalState"];
            /**
             * Format: int64
             * @description 1 for the version that created the flow, then increased by one.
             * @example 2
             */
            version: number;
            /** @description The running rollout of a `candidate`; otherwise `null`. */
            rollout: components["schemas"]["RunningRollout"] | null;
            /** @description In the format of a new version, a simulation and a backtest. */
            definition: components["schemas"]["FlowDefinition"];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of the last activation; `null` for a draft.
             * @example 2026-11-21T01:02:03.456Z
             */
            activated_at: string | null;
            /**
             * @description The API client that wrote the version; `cli` or `system` without one; `null` if an earlier release wrote it.
             * @example client_0c8c1d1e6f0a
             */
            created_by: string | null;
            /**
             * @description The actor of the last activation; `null` for a draft.
             * @example client_0c8c1d1e6f0a
             */
            activated_by: string | null;
            /**
             * @description The reason that was given for the last activation.
             * @example Berlin costs less
             */
            reason: string | null;
            /** @description Oldest first; the author approves nothing. */
            approvals: components["schemas"]["FlowVersionApproval"][];
            /**
             * @description Whether it cannot be active, also in a rollout, before another client approves it.
             * @example false
             */
            needs_approval: boolean;
            /** @description The last request for an approval; `null`: there was none. */
            approval_request: components["schemas"]["FlowApprovalRequest"] | null;
            /**
             * Format: int64
             * @description The last rollout of this version; `null`: there was none.
             * @example 4
             */
            last_rollout_id: number | null;
            /**
             * Format: int64
             * @description The version that was active before the last activation of this one; `null` for a draft, the first version, and activations of an earlier release.
             * @example 1
             */
            replaced_version: number | null;
        };
        FlowVersionApproval: {
            /**
             * @description The API client that approved the version.
             * @example client_1d9e2f3a4b5c
             */
            by: string;
            /**
             * @description The reason that was given.
             * @example Checked with the contract
             */
            reason: string | null;
            /**
             * Format: date-time
             * @description The time of it.
             * @example 2026-11-21T01:02:03.456Z
             */
            at: string;
        };
        FlowVersionComment: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description The text, as it was written.
             * @example What does Berlin charge for this?
             */
            comment: string;
            /**
             * @description The API client, or the subject of a person.
             * @example client_1d9e2f3a4b5c
             */
            by: string;
            /**
             * Format: date-time
             * @description The time of it.
             * @example 2026-11-21T01:02:03.456Z
             */
            at: string;
        };
        FlowVersionCommentPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["FlowVersionComment"][];
            pagination: components["schemas"]["Pagination"];
        };
        FlowVersionCommentResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["FlowVersionComment"];
        };
        FlowVersionPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["FlowVersion"][];
            pagination: components["schemas"]["Pagination"];
        };
        FlowVersionResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["FlowVersion"];
        };
        /** @enum {string} */
        FlowVersionStatus: "draft" | "candidate" | "active" | "retired";
        Guardrail: {
            /**
             * Format: double
             * @description In percent points: at 2, a candidate with 88 % is worse enough than a base with 90 %.
             * @example 2
             */
            max_drop_points: number;
            /**
             * Format: int64
             * @description The number of approved, declined and refused payments that each version needs before it can abort. Default: `100`.
             * @example 100
             */
            min_payments?: number;
            /**
             * Format: double
             * @description The probability that a candidate as good as the base is never aborted. Default: `0.95`.
             * @example 0.95
             */
            confidence?: number;
        };
        GuardrailState: {
            /**
             * Format: double
             * @description 0 … 1. At 1 the rollout is aborted, unless it is waiting for payments.
             * @example 0.31
             */
            evidence: number;
            /**
             * Format: int64
             * @description Approved, declined and refused payments of both versions, from the start, after which a drop of the guardrail's size
             *     would have been found with a probability of 90 %, at the present rate and percent. `null`: no payment of the active
             *     version has an outcome, or such a drop cannot be found. With `key: customer` it takes more than one customer of each
             *     version.
             * @example 11800
             */
            payments_needed: number | null;
            /**
             * @description Whether a version has fewer outcomes than `min_payments`.
             * @example false
             */
            is_waiting_for_payments: boolean;
        };
        /** @enum {string} */
        Initiator: "customer" | "merchant";
        Jwks: {
            /** @description A token's `kid` names its key. Empty if tokens are signed with a shared secret. */
            keys: ({
                kty: string;
                kid: string;
                alg: string;
                /** @enum {string} */
                use: "sig";
            } & {
                [key: string]: unknown;
            })[];
        };
        LapsingAuthorization: {
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The number of the attempt, from 1.
             */
            attempt: number;
            /** @description The name of the payment provider. */
            provider: string;
            /**
             * Format: double
             * @description The amount that the provider holds.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /**
             * Format: date-time
             * @description When the authorisation lapses.
             */
            capture_before: string;
        };
        LateCharge: {
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /** @description The status of the payment, which does not change. */
            status: string;
            /**
             * Format: int64
             * @description The attempt that was charged.
             */
            attempt: number;
            /** @description The name of the payment provider. */
            provider: string;
            /**
             * Format: double
             * @description The charged amount, which the service refunds.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
        };
        LeftOut: {
            /** @example shop_down */
            kind: components["schemas"]["ToDoKind"];
            /**
             * @description The scope that shows it.
             * @example shops:read
             */
            scope: string;
        };
        ListedShop: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description How webhooks are signed: only with the webhook secret, or also with the shop's own key.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /** @description Since when too many of its payments have failed by its own fault; `null`: it is not down. */
            down_since: string | null;
            /**
             * @description The name of it.
             * @example Main shop
             */
            name: string;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of its account at the provider: shops of one account accept the same payment method tokens.
             * @example eu
             */
            provider_account: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * @description `false`: the module of its provider is not loaded, so it takes no payments and its provider is not asked.
             * @example true
             */
            available: boolean;
            /** @description The provider's fees, for routing by cost and for backtests; empty: unknown. */
            fees: components["schemas"]["Fee"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        Liveness: {
            /**
             * @description The state of it.
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        LowestCostReasoning: {
            /**
             * @description The strategy that decided. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            by: "lowest_cost";
            /** @description Shop id and its fee for the payment in major units, not rounded, null if unknown; lowest fee first. Includes recovering shops that were passed over. */
            costs: (number | null)[][];
            /**
             * Format: double
             * @description The random number that decided whether a recovering shop kept the payment; absent: the pick needed none.
             */
            draw?: number;
        };
        /** @description Tests of a metadata value. Equality is strict: `"1"` is not `1`. All given tests must pass; at least one is required. */
        MetadataTest: {
            equals?: components["schemas"]["MetadataValue"];
            /** @description One of these values, without duplicates. */
            in?: components["schemas"]["MetadataValue"][];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: components["schemas"]["MetadataValue"] | components["schemas"]["MetadataValue"][];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        /** @description A value to compare a metadata value with. */
        MetadataValue: string | number | boolean | null;
        MinuteOfDeliveries: {
            /**
             * Format: int64
             * @description Deliveries that arrived.
             * @example 240
             */
            delivered: number;
            /**
             * Format: int64
             * @description Failed attempts that will be retried.
             * @example 3
             */
            retried: number;
            /**
             * Format: int64
             * @description Deliveries that failed permanently.
             * @example 0
             */
            failed: number;
        };
        Move: {
            /**
             * Format: int64
             * @description `null`: a rule declined them.
             * @example 3
             */
            from_shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: no shop takes them, or a rule declines them.
             * @example 5
             */
            to_shop_id: number | null;
            /**
             * @description Whether a rule of the draft declines them.
             * @example false
             */
            declined: boolean;
            /**
             * Format: int64
             * @description How many payments it is about.
             * @example 120
             */
            payments: number;
        };
        NamedAccounts: {
            /** @description Like the options of a payment, without tokens. */
            options: components["schemas"]["ProviderAccount"][];
        };
        /** @enum {string} */
        NextActionType: "redirect" | "provider_action";
        Notification: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 815
             */
            id: number;
            /**
             * @description The status that the provider reported.
             * @example completed
             */
            status: components["schemas"]["NotifiedStatus"];
            /**
             * @description `applied`: applied to the payment. `waiting`: applied as soon as it is a legal change, within three days.
             *     `ignored`: it contradicts the payment, or has nothing new. `conflict`: the id came before with other content.
             *     `alarm`: check the payment at its provider.
             * @example ignored
             */
            outcome: components["schemas"]["NotificationOutcome"];
            /**
             * @description The reason for waiting or for not being applied: `unknown_payment`; `status_unchanged`, the payment already had that
             *     status; `attempt_superseded`, the payment has moved to another shop; `payment_is_…`, the payment's status allowed
             *     no such change; `other_content`; `dispute_unchanged`, `dispute_is_newer` (a newer report was applied before) or,
             *     from earlier versions, `dispute_is_closed`; `amount_differs`, the amount or currency is not the payment's; `other_refund`, a refund that is
             *     not ours and exceeds the remaining amount; `payment_archived`; `void_failed`, `refund_failed` or `capture_failed`. `null` if it
             *     was applied.
             * @example payment_is_failed
             */
            reason: components["schemas"]["NotificationReason"] | null;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The provider's own id, which counts once.
             * @example evt_1
             */
            notification_id: string;
            /**
             * @description `null` if it has only our reference.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /**
             * @description Our reference of the attempt, if the provider repeats it.
             * @example 3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11
             */
            reference: string | null;
            /**
             * Format: int64
             * @description `null` until a payment of the shop is found for it.
             * @example 4711
             */
            payment_id: number | null;
            /**
             * Format: date-time
             * @description When it was received.
             * @example 2026-11-21T01:02:03.789Z
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When a person acknowledged the alarm; `null`: not acknowledged, or no alarm.
             */
            acknowledged_at: string | null;
        };
        /** @enum {string} */
        NotificationOutcome: "applied" | "ignored" | "waiting" | "conflict" | "alarm";
        NotificationPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Notification"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        NotificationReason: "amount_differs" | "other_refund" | "void_failed" | "refund_failed" | "capture_failed" | "payment_archived" | "payment_is_pending" | "payment_is_processing" | "payment_is_completed" | "payment_is_failed" | "payment_is_cancelled" | "payment_is_refunded" | "dispute_unchanged" | "dispute_is_newer" | "unknown_payment" | "status_unchanged" | "attempt_superseded" | "other_content" | "dispute_is_closed";
        NotificationResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Notification"];
        };
        /** @enum {string} */
        NotifiedStatus: "processing" | "authorized" | "authorization_expired" | "completed" | "failed" | "cancelled" | "refund_pending" | "refunded" | "disputed" | "void_failed" | "refund_failed" | "capture_failed";
        OAuthClient: {
            /**
             * @description `person`: signs in to the console.
             * @example program
             */
            kind: components["schemas"]["ClientKind"];
            /**
             * @description The role that gives the scopes, also those of later versions; `custom`: the scopes are its own.
             * @example developer
             */
            role: components["schemas"]["ClientRole"];
            /**
             * @description The maximum scopes of its tokens.
             * @example [
             *       "payments:read",
             *       "payments:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description The client's id in token requests.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string;
            /**
             * @description The name of it.
             * @example checkout
             */
            name: string;
            /**
             * @description The client that made it; `null`: the command line, or the first start.
             * @example client_7b1f
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of its name, kind, rights or secret, or its revocation.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Since when it gets no tokens and its tokens no longer work; `null`: active.
             */
            revoked_at: string | null;
        };
        OAuthClientPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["OAuthClient"][];
            pagination: components["schemas"]["Pagination"];
        };
        OAuthClientResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["OAuthClient"];
        };
        OpenAlarm: {
            /**
             * Format: int64
             * @description The id of the notification: `POST /providers/notifications/{id}/acknowledge` ends the alarm.
             * @example 816
             */
            id: number;
            /**
             * @description `amount_differs`: the provider has another amount or currency than the payment. `other_refund`: more was
             *     refunded than captured, or a refund was made at the provider while ours had no answer. `refund_failed`, `void_failed`: a refund or void failed
             *     after its confirmation, or one that the service did not request failed. `capture_failed`: the provider did not get
             *     the money of a payment that it had approved. For the necessary steps see docs/operate/runbook.md,
             *     ProviderAlarmOpen.
             * @example amount_differs
             */
            reason: components["schemas"]["AlarmReason"];
            /**
             * Format: double
             * @description The amount that the provider reported, if any.
             * @example 49.9
             */
            amount: number | null;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            /**
             * @description The name of the payment provider.
             * @example stripe
             */
            provider: string;
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number | null;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string | null;
            /**
             * Format: date-time
             * @description When it was received.
             * @example 2026-11-22T01:02:03.456Z
             */
            received_at: string;
        };
        OpenCounts: {
            /**
             * Format: int64
             * @description Deliveries that wait for an attempt; like all counts here, counted up to 10,000.
             * @example 3
             */
            pending_deliveries: number;
            /**
             * Format: int64
             * @description Deliveries created during the last 24 hours that have failed permanently and were not sent again.
             * @example 0
             */
            failed_deliveries: number;
            /**
             * Format: date-time
             * @description Since when the oldest due delivery has been due; `null` if none is due.
             */
            oldest_due_delivery_at: string | null;
            /**
             * Format: int64
             * @description Endpoints that have received nothing for five minutes.
             * @example 0
             */
            failing_endpoints: number;
            /**
             * Format: int64
             * @description Charges, voids and refunds whose outcome the provider has not reported yet.
             * @example 1
             */
            open_operations: number;
            /**
             * Format: date-time
             * @description The creation of the oldest one.
             * @example 2026-11-22T01:02:03.456Z
             */
            oldest_operation_at: string | null;
            /**
             * Format: int64
             * @description Notifications of providers that cannot be applied yet, most of them for unknown payments.
             * @example 0
             */
            waiting_notifications: number;
            /**
             * Format: date-time
             * @description When the oldest of them was received.
             */
            oldest_notification_at: string | null;
            /**
             * Format: int64
             * @description Notifications that need a person and that no one has acknowledged.
             * @example 0
             */
            alarms: number;
            /**
             * Format: date-time
             * @description When the oldest of them was received.
             */
            oldest_alarm_at: string | null;
        };
        OpenOperation: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 17
             */
            id: number;
            /**
             * @description `open`: recorded, may be in progress. `unknown`: sent, but not answered. `pending`: the provider will report the outcome later.
             * @example unknown
             */
            state: components["schemas"]["OpenOperationState"];
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            /** @example charge */
            kind: components["schemas"]["OperationKind"];
            /**
             * Format: int64
             * @description The number of requests to the provider.
             * @example 2
             */
            tries: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-22T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the provider is asked again; `null`: no longer asked, a person must check at the provider.
             */
            next_try_at: string | null;
            /** @description The provider's last reason, if known. */
            reason: string | null;
        };
        /** @enum {string} */
        OpenOperationState: "open" | "pending" | "unknown";
        OpenWork: {
            /** @description The oldest 100, oldest first. */
            operations: components["schemas"]["OpenOperation"][];
            /** @description The oldest 100, oldest first. */
            notifications: components["schemas"]["WaitingNotification"][];
            /** @description The oldest 100, oldest first. */
            alarms: components["schemas"]["OpenAlarm"][];
        };
        OpenWorkResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["OpenWork"];
        };
        /** @enum {string} */
        OperationCause: "cancel_requested" | "refund_requested" | "expired" | "charged_after_end" | "payment" | "capture_requested" | "authorization_expired";
        /** @enum {string} */
        OperationKind: "charge" | "capture" | "void" | "refund";
        /** @enum {string} */
        OperationState: "unknown" | "open" | "refused" | "confirmed" | "pending";
        OperationStuckWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "operation.stuck";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["StuckOperation"];
        };
        /** @description The provider's notification, if it caused the change. */
        OriginalWebhook: {
            /** @description The name of the payment provider. */
            provider: string;
            /** @description The notification as it came. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was processed.
             */
            processed_at: string;
        };
        OutcomeCounts: {
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 12
             */
            declined: number;
            /**
             * Format: int64
             * @description Without a valid answer of the provider.
             * @example 1
             */
            failed: number;
        };
        Overview: {
            /**
             * Format: date-time
             * @description The time of the data; at most two seconds ago.
             * @example 2026-11-22T01:02:05.000Z
             */
            at: string;
            approvals: components["schemas"]["Approvals"];
            deliveries: components["schemas"]["DeliveriesByMinute"];
            open: components["schemas"]["OpenCounts"];
        };
        OverviewResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Overview"];
        };
        Pagination: {
            /** @description Send it as `cursor` to get the next page; `null`: this is the last one. */
            next_cursor: string | null;
            /** @description Whether another page can be read now. */
            has_more: boolean;
        };
        Payer: {
            /**
             * @description The address of the payer's device, IPv4 or IPv6.
             * @example 203.0.113.7
             */
            ip_address?: string;
            billing_address?: components["schemas"]["BillingAddress"];
        };
        Payment: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 4711
             */
            id: number;
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 49.9
             */
            amount: number;
            /** @example completed */
            status: components["schemas"]["PaymentStatus"];
            /**
             * Format: double
             * @description The amount that the provider holds or has charged.
             * @example 49.9
             */
            amount_authorized: number;
            /**
             * Format: double
             * @description The charged amount.
             * @example 49.9
             */
            amount_captured: number;
            /**
             * Format: double
             * @description The amount of refunds that are pending or have succeeded.
             * @example 0
             */
            amount_refunded: number;
            /**
             * @description `manual`: it is only authorised, and captured by `POST /payments/{id}/capture`.
             * @example automatic
             */
            capture: components["schemas"]["CaptureMode"];
            /**
             * @description The party that begins the payment; absent: the request did not say.
             * @example customer
             */
            initiator?: components["schemas"]["Initiator"];
            /**
             * @description The payer's agreement about later charges; absent: the request did not say.
             * @example subscription
             */
            agreement?: components["schemas"]["Agreement"];
            /**
             * Format: double
             * @description The sum of its chargebacks and pre-arbitrations that are not won, in the payment's currency. Disputes change no
             *     status.
             * @example 0
             */
            disputed_amount: number;
            /** @description The step that the payer must take before the payment continues; `null`: none. */
            next_action: (components["schemas"]["RedirectAction"] | components["schemas"]["ProviderAction"]) | null;
            /**
             * @description The merchant's id of the session.
             * @example ps_4711
             */
            payment_session_id: string;
            /**
             * @description The provider's id of the payment.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id?: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country?: string;
            /**
             * @description The provider of its shop.
             * @example sandbox
             */
            payment_provider: string;
            /**
             * Format: int64
             * @description The id of the flow.
             * @example 12
             */
            flow_id: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ends, if it is still pending.
             * @example 2026-11-21T01:32:03.456Z
             */
            expires_at: string;
            /** @description The request's facts of the payment method, without tokens; `null`: none. */
            payment_method: components["schemas"]["PaymentMethodFacts"] | null;
            /** @description When its authorisation ends at the provider; `null`: nothing waits for a capture. */
            capture_before: string | null;
            /**
             * Format: date-time
             * @description When it was captured, by the charge or later; `null`: it was not.
             * @example 2026-11-21T01:02:03.789Z
             */
            captured_at: string | null;
            shop: components["schemas"]["ShopReference"];
            /** @description `null` for a payment without a customer. */
            customer: components["schemas"]["Customer"] | null;
            /** @description The merchant's own data. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The provider's own data. */
            provider_metadata: {
                [key: string]: unknown;
            };
            /**
             * @description The address from the request.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string | null;
            /**
             * @description A provider charged the payment after it had ended or moved to another shop; the charge is reversed.
             * @example false
             */
            charged_after_end: boolean;
            /**
             * @description A refund is pending: the provider has not yet reported its outcome. If it fails, this becomes `false` and the
             *     payment stays `completed`: `GET /payments/{id}/refunds` shows why.
             * @example false
             */
            refund_pending: boolean;
            /**
             * @description A capture is pending: the provider has not yet reported its outcome. If it fails, this becomes `false`, and the
             *     event `capture.failed` shows why.
             * @example false
             */
            capture_pending: boolean;
        };
        /** @description The amounts of a payment. Pending refunds count as refunded. */
        PaymentAmounts: {
            /**
             * Format: double
             * @description The amount that the provider holds or has charged.
             */
            amount_authorized: number;
            /**
             * Format: double
             * @description The charged amount.
             */
            amount_captured: number;
            /**
             * Format: double
             * @description The amount of refunds that are pending or have succeeded.
             */
            amount_refunded: number;
        };
        PaymentAmountsChangedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "payment.amounts_changed";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["ChangedAmounts"];
        };
        PaymentAttempt: {
            /**
             * @description `null`: under way, or its process died; `unknown`: no answer in time.
             * @example soft_declined
             */
            outcome: components["schemas"]["AttemptOutcome"] | null;
            /**
             * Format: int64
             * @description From 1.
             * @example 1
             */
            number: number;
            shop: components["schemas"]["ShopReference"];
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The provider's id of the transaction; `null`: not known.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /**
             * @description Why it was declined; `null`: it was not, or the provider gave no reason.
             * @example issuer_unavailable
             */
            decline_code: string | null;
            /** @description The provider's facts about the card; `null`: it gave none. */
            card: components["schemas"]["CardFacts"] | null;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T01:02:03.456Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When the outcome became known; `null`: not yet.
             * @example 2026-11-21T01:02:03.789Z
             */
            ended_at: string | null;
        };
        PaymentAttemptListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PaymentAttempt"][];
        };
        PaymentDecision: {
            /**
             * @description For the strategy `rules`: the index of the rule that decided, or `default`.
             * @example 0
             */
            rule?: number | "default";
            /**
             * @description The rules before it that match, but none of whose shops could take the payment; absent: none.
             * @example [
             *       0
             *     ]
             */
            passed_over?: number[];
            /**
             * @description The tests that excluded a shop, by shop id.
             * @example {
             *       "3": [
             *         "currency"
             *       ]
             *     }
             */
            failed: {
                [key: string]: components["schemas"]["RoutingTest"][];
            };
            /**
             * Format: double
             * @description How likely this shop was among the shops that could have taken the payment, by rotation, weights and chance.
             *     Absent: no shop was picked, or the decision is of an older release.
             * @example 0.5
             */
            probability?: number;
            /**
             * @description The values that the strategy used.
             * @example {
             *       "by": "round_robin",
             *       "counter": 41,
             *       "position": 1,
             *       "of": 2
             *     }
             */
            reasoning?: components["schemas"]["Reasoning"];
            /**
             * Format: int64
             * @description The version of the flow.
             * @example 3
             */
            flow_version: number | null;
            /** @description Absent: no rollout chose the version. */
            rollout?: components["schemas"]["RolloutChoice"];
            /** @example round_robin */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The known customer; absent: none, or a new one without an id.
             * @example 7
             */
            customer_id?: number;
            /**
             * @description The payment is authorised first; absent: it is captured with the charge.
             * @example manual
             * @enum {string}
             */
            capture?: "manual";
            /**
             * @description Every shop of the flow, in order of priority, then id.
             * @example [
             *       1,
             *       2,
             *       3
             *     ]
             */
            shops: number[];
            /**
             * Format: int64
             * @description `null`: the rule declined the payment.
             * @example 2
             */
            picked: number | null;
            /** @description The decline of the rule; absent: it did not decline the payment. */
            declined?: components["schemas"]["RuleDecline"];
            /**
             * @description The order in which other shops would be tried after it.
             * @example [
             *       1
             *     ]
             */
            fallbacks: number[];
            /** @description No shop was healthy: the one with the fewest failures was picked. */
            least_bad?: boolean;
            /**
             * @description The recovering shops that could have been picked; absent: none.
             * @example [
             *       3
             *     ]
             */
            probing?: number[];
            /** @description The recovering shop that was next for a test payment, and whether it got the payment. */
            probed?: components["schemas"]["DecisionProbe"];
        };
        PaymentDecisionResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PaymentDecision"] | null;
        };
        PaymentLateChargeWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "payment.late_charge";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["LateCharge"];
        };
        PaymentMethod: {
            /**
             * @description The kind of payment method, for conditions and reports; only shops whose provider takes it get the payment. Without
             *     `token` and `options`: the payer gives the rest at the provider, such as the bank of `ideal`.
             * @example card
             */
            type?: string;
            /**
             * @description One token whose account is not named. Other accounts are tried only while the providers say that they do not have
             *     it. The sandbox accepts tok_success, tok_decline, tok_soft_decline, tok_async_success, tok_requires_action and
             *     others: docs/start/sandbox.md. Not together with `options`.
             * @example tok_success
             */
            token?: string;
            /**
             * @description The kind of `next_action` that your page can carry out. `provider_action`: it has the script of each provider, such as
             *     Stripe.js. Stripe then needs no redirect and no `return_url`. If omitted: `redirect`; for `data` of Adyen with
             *     `browserInfo` and `origin`: `provider_action`.
             * @example redirect
             */
            next_action_type?: components["schemas"]["NextActionType"];
            /** @description The payment method by account. Only shops of these accounts take the payment. */
            options?: components["schemas"]["PaymentMethodOption"][];
            card?: components["schemas"]["CardFacts"];
            /**
             * @description Save it for later payments of the customer, if the provider can: it is then listed by
             *     `GET /customers/{id}/payment-methods`. Not with `initiator: merchant`.
             * @example false
             */
            save?: boolean;
        };
        PaymentMethodAccount: {
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of the account; absent: any account at the provider.
             * @example eu
             */
            account?: string;
        };
        PaymentMethodFacts: {
            /**
             * @description The kind of it.
             * @example card
             */
            type?: string;
            /** @description The accounts that have the payment method; empty: not named. */
            options: components["schemas"]["PaymentMethodAccount"][];
            card?: components["schemas"]["CardFacts"];
            /**
             * @description The provider was asked to save it.
             * @example true
             */
            save?: boolean;
        };
        PaymentMethodOption: {
            /**
             * @description The provider of the account.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of the account (`provider_account` of a shop). If omitted: any account at the provider.
             * @example eu
             */
            account?: string;
            /**
             * @description The payment method's token in the account.
             * @example tok_success@eu
             */
            token?: string;
            /**
             * @description The data that the provider's page components collected, in its own format, at most 16 KiB as JSON. It is encrypted
             *     while it is needed.
             */
            data?: {
                [key: string]: unknown;
            };
        };
        /** @description Tests of the kind of payment method. All given tests must pass; at least one is required. */
        PaymentMethodTypeTest: {
            /** @description Exactly this value. */
            equals?: string;
            /** @description One of these values, without duplicates. */
            in?: string[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: string | string[];
            /** @description `true`: the payment must have the field; `false`: it must not have it. */
            exists?: boolean;
        };
        PaymentOperation: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 8151
             */
            id: number;
            /**
             * @description `charge`, `capture` of an authorisation, or the reversal: `void` before the capture, `refund` after it.
             * @example charge
             */
            kind: components["schemas"]["OperationKind"];
            /**
             * @description Why it was requested.
             * @example payment
             */
            cause: components["schemas"]["OperationCause"];
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 49.9
             */
            amount: number;
            /**
             * @description `open`: recorded, perhaps under way. `unknown`: called, without an answer. `pending`: the provider reports the
             *     outcome later. `confirmed`: done. `refused`: certainly not done.
             * @example confirmed
             */
            state: components["schemas"]["OperationState"];
            /**
             * Format: int64
             * @description The number of the attempt, from 1.
             * @example 1
             */
            attempt: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * Format: int64
             * @description Calls of recovery for it, look-ups included, in addition to the first call of a charge.
             * @example 1
             */
            tries: number;
            /**
             * Format: date-time
             * @description Time of the next call; `null`: none, because it is closed, or because a person must act.
             */
            next_try_at: string | null;
            /**
             * Format: int64
             * @description Seconds since the request.
             * @example 12
             */
            age: number;
            /**
             * @description The provider's last answer, as a code; `no_answer`: no readable answer in time.
             * @example approved
             */
            last_answer: string | null;
            /** @description Why it was refused, or a note for a person. */
            reason: string | null;
            /**
             * @description Our reference, which the provider received: find the operation there by it.
             * @example 3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11
             */
            reference: string;
            /**
             * @description The provider's id of the transaction.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /** @description The provider's id of a void or refund. */
            provider_operation_id: string | null;
            /** @description The client or person that asked for it; `null`: the service, or the payment itself. */
            requested_by: components["schemas"]["Requester"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        PaymentOperationListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PaymentOperation"][];
        };
        PaymentOperationResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["PaymentOperation"];
        };
        PaymentPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Payment"][];
            pagination: components["schemas"]["Pagination"];
        };
        PaymentResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Payment"];
        };
        /** @enum {string} */
        PaymentStatus: "pending" | "processing" | "completed" | "failed" | "cancelled" | "refunded";
        PrimaryShop: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Berlin
             */
            shop_name: string;
            /**
             * Format: int64
             * @description The lower number is tried first.
             * @example 1
             */
            priority: number;
            /**
             * Format: int64
             * @description The share of payments, relative to the other shops.
             * @example 1
             */
            weight: number;
        };
        PriorityReasoning: {
            /**
             * @description The strategy that decided. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            by: "priority";
            /**
             * Format: int64
             * @description The number of payments that the flow had routed before.
             */
            counter: number;
            /**
             * Format: int64
             * @description The lowest number; shops with the same number alternate.
             */
            priority: number;
            /**
             * Format: int64
             * @description The position of the pick among the alternating shops, from 0.
             */
            position: number;
            /**
             * Format: int64
             * @description The number of alternating shops.
             */
            of: number;
        };
        ProbedShop: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description Whether the shop got the payment.
             * @example false
             */
            let_through: boolean;
        };
        /** @description RFC 9457, extended by `success`, `code`, `request_id` and `errors`. `code` is permanent: programs should use it. */
        Problem: {
            /**
             * Format: uri
             * @description The code as a URN.
             * @example urn:problem:shop_not_found
             */
            type: string;
            /**
             * @description The same for each problem with this code.
             * @example No such shop
             */
            title: string;
            /**
             * Format: int64
             * @description The HTTP status.
             * @example 404
             */
            status: number;
            /** @description What was received and what is allowed, for people. */
            detail?: string;
            /**
             * @description The path of the request.
             * @example /shops/7
             */
            instance?: string;
            /** @description Always `false`. */
            success: boolean;
            code: components["schemas"]["ProblemCode"];
            /** @description The same as the header `X-Request-Id`; include it in support requests. */
            request_id: string;
            /** @description At most 50. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @enum {string} */
        ProblemCode: "capture_already_made" | "client_closed_request" | "client_not_found" | "csrf_token_invalid" | "customer_erased" | "customer_not_found" | "delivery_erased" | "delivery_in_progress" | "delivery_not_found" | "dependency_unavailable" | "dispute_not_found" | "endpoint_limit_reached" | "endpoint_not_active" | "endpoint_not_found" | "endpoint_not_standing" | "flow_approval_not_open" | "flow_approval_required" | "flow_assertion_violated" | "flow_assertions_too_complex" | "flow_changed" | "flow_has_open_payments" | "flow_limit_reached" | "flow_name_taken" | "flow_not_found" | "flow_own_version" | "flow_rollout_ended" | "flow_rollout_not_found" | "flow_rollout_running" | "flow_rollout_stages_reached" | "flow_version_active" | "flow_version_not_found" | "flow_version_not_proposed" | "headers_too_large" | "idempotency_key_in_flight" | "idempotency_key_reused" | "illegal_status_change" | "insufficient_scope" | "internal_error" | "invalid_credentials" | "invalid_signature" | "last_owner" | "malformed_json" | "malformed_request" | "merchant_not_found" | "method_not_allowed" | "no_available_shop" | "no_next_action" | "no_webhook_key" | "not_an_alarm" | "notification_not_found" | "operation_closed" | "operation_not_found" | "operation_under_way" | "payload_too_large" | "payment_archived" | "payment_disputed" | "payment_method_limit_reached" | "payment_method_not_found" | "payment_not_found" | "payment_session_used" | "provider_not_found" | "provider_unconfirmed" | "refund_exceeds_captured" | "refund_not_found" | "request_timeout" | "route_not_found" | "settle_approval_required" | "settle_contradicts_provider" | "settle_exceeds_operation" | "shop_disabled" | "shop_limit_reached" | "shop_name_taken" | "shop_not_found" | "too_many_requests" | "transaction_id_taken" | "transaction_not_found" | "unauthorized" | "unsupported_media_type" | "uri_too_long" | "validation_failed";
        Proposal: {
            /**
             * Format: int64
             * @description The id of the flow.
             * @example 12
             */
            flow_id: number;
            /**
             * @description The name of the flow.
             * @example checkout
             */
            flow_name: string;
            /**
             * Format: int64
             * @description The version of the flow.
             * @example 5
             */
            version: number;
            /**
             * @description The API client that wrote the version.
             * @example client_0c8c1d1e6f0a
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /** @description The last request. */
            request: components["schemas"]["FlowApprovalRequest"];
        };
        ProposalPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Proposal"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        ProposalState: "draft" | "waiting" | "approved" | "rejected" | "withdrawn" | "rolling_out" | "active" | "superseded";
        Provider: {
            /**
             * @description The value of a shop's `provider`.
             * @example stripe
             */
            name: string;
            /** @description The fields of `provider_credentials` of its shops. */
            credentials: components["schemas"]["ProviderCredential"][];
        };
        ProviderAccount: {
            /**
             * @description The provider of the account.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of the account (`provider_account` of a shop). If omitted: any account at the provider.
             * @example eu
             */
            account?: string;
        };
        ProviderAction: {
            /**
             * @description The kind of it.
             * @example provider_action
             * @enum {string}
             */
            type: "provider_action";
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The input of the script, in the provider's own format.
             * @example {
             *       "challenge": "3f6c2d"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        ProviderCredential: {
            /**
             * @description `calls`: sent with our calls, so a check shows whether it works; `notifications`: verifies the provider's
             *     notifications.
             * @example calls
             */
            used_for: components["schemas"]["CredentialUse"];
            /**
             * @description Its key in `provider_credentials`.
             * @example secret_key
             */
            name: string;
            /**
             * @description Description.
             * @example a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…
             */
            takes: string;
            /**
             * @description Whether it must be set.
             * @example true
             */
            required: boolean;
            /**
             * @description Whether it is never shown in full.
             * @example true
             */
            secret: boolean;
        };
        ProviderListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Provider"][];
        };
        PublicEndpointAuth: {
            /** @example basic */
            type: components["schemas"]["EndpointAuthType"];
            /**
             * @description Where the token request has the password of the client.
             * @example basic
             */
            client_authentication: components["schemas"]["ClientAuthentication"] | null;
            /**
             * @description The user name at the receiver.
             * @example orders
             */
            username: string | null;
            /**
             * @description Where to get an access token.
             * @example https://login.merchant.example/token
             */
            token_url: string | null;
            /**
             * @description The id of the OAuth client.
             * @example webhooks
             */
            client_id: string | null;
            /**
             * @description The scope to ask for.
             * @example events.write
             */
            scope: string | null;
            /**
             * @description Whom the access token is for.
             * @example https://hooks.merchant.example
             */
            audience: string | null;
            /**
             * @description What the access token is for (RFC 8707).
             * @example https://hooks.merchant.example
             */
            resource: string | null;
        };
        RateInterval: {
            /**
             * Format: double
             * @description The estimate.
             * @example 0.92
             */
            estimate: number;
            /**
             * Format: double
             * @description The lower bound.
             * @example 0.89
             */
            low: number;
            /**
             * Format: double
             * @description The upper bound.
             * @example 0.94
             */
            high: number;
        };
        Readiness: {
            /**
             * @description `degraded`: the queue is down, and the process continues without it. `shutting_down` and `unavailable` are answered
             *     with 503.
             * @example ok
             * @enum {string}
             */
            status: "degraded" | "ok" | "shutting_down" | "unavailable";
            /**
             * @description `up` or `down` per dependency.
             * @example {
             *       "database": "up",
             *       "queue": "up"
             *     }
             */
            checks: {
                [key: string]: string;
            };
        };
        /** @description The inputs of the strategy's choice; `by` is the strategy's name. */
        Reasoning: components["schemas"]["RoundRobinReasoning"] | components["schemas"]["WeightedReasoning"] | components["schemas"]["PriorityReasoning"] | components["schemas"]["StickyReasoning"] | components["schemas"]["SuccessRateReasoning"] | components["schemas"]["LowestCostReasoning"];
        RecoveredEndpoint: {
            /**
             * Format: int64
             * @description `null`: addresses of payments with this origin.
             */
            endpoint_id: number | null;
            /** @description Scheme, host and port. */
            webhook_endpoint: string;
            /**
             * Format: date-time
             * @description The first of its failures in a row.
             */
            failing_since: string;
            /**
             * Format: date-time
             * @description When it answered with a 2xx again.
             */
            recovered_at: string;
        };
        Redeliver: {
            /**
             * Format: int64
             * @description Only deliveries of this shop. If absent: of all shops of the merchant.
             * @example 1
             */
            shop_id?: number;
            /**
             * Format: int64
             * @description Only deliveries of this endpoint, of either kind. Not together with `shop_id`.
             * @example 5
             */
            endpoint_id?: number;
            /**
             * @description Status of the deliveries. `pending` needs `endpoint_id`: retries that wait are sent now. Default: `"failed"`.
             * @example failed
             */
            status?: components["schemas"]["RedeliverableStatus"];
            /**
             * Format: uri
             * @description Only deliveries to exactly this address. If absent: to any address.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
            /**
             * Format: date-time
             * @description Only deliveries created at this time or later.
             * @example 2026-11-21T00:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description Only deliveries created before this time.
             * @example 2026-11-21T06:00:00Z
             */
            to?: string;
            /**
             * @description Only counts the deliveries. Default: `false`.
             * @example true
             */
            dry_run?: boolean;
        };
        /** @enum {string} */
        RedeliverableStatus: "failed" | "delivered" | "pending";
        Redelivered: {
            /**
             * Format: int64
             * @description Number of deliveries that get a new run of the schedule.
             * @example 17
             */
            count: number;
        };
        RedeliveredResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Redelivered"];
        };
        Redelivery: {
            /** @example failed */
            status: components["schemas"]["RedeliverableStatus"];
            /**
             * Format: int64
             * @description `null`: several shops, or one endpoint.
             * @example 1
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: endpoints of shops.
             * @example 5
             */
            endpoint_id: number | null;
            /**
             * @description `null`: any address.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string | null;
            /**
             * @description The start of the time.
             * @example 2026-11-21T00:00:00Z
             */
            from: string | null;
            /**
             * @description The end of the time.
             * @example 2026-11-21T06:00:00Z
             */
            to: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             * @example 2026-11-21T06:30:00.000Z
             */
            requested_at: string;
            /**
             * Format: int64
             * @description Deliveries that are back in the queue, of the shops that are not finished.
             * @example 17
             */
            redelivered: number;
        };
        RedeliveryListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Redelivery"][];
        };
        RedirectAction: {
            /**
             * Format: uri
             * @description Where to send the payer.
             * @example https://provider.example/authenticate/4711
             */
            url: string;
            /**
             * @description The kind of it.
             * @example redirect
             * @enum {string}
             */
            type: "redirect";
            /**
             * @description The HTTP method.
             * @example GET
             * @enum {string}
             */
            method: "GET" | "POST";
        };
        Refund: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 815
             */
            id: number;
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 10
             */
            amount: number;
            /**
             * @description `pending`: its outcome is not known yet. `succeeded`: the provider gave the amount back. `failed`: it did not, perhaps
             *     after it had reported a success; the amount can be refunded again.
             * @example succeeded
             */
            status: components["schemas"]["RefundStatus"];
            /**
             * @description `api`: requested through this API. `provider`: made at the provider, such as in its dashboard.
             * @example api
             */
            origin: components["schemas"]["RefundOrigin"];
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description The reason that was given.
             * @example Customer returned the goods
             */
            reason: string | null;
            /**
             * @description The merchant's own data.
             * @example {
             *       "return_id": "R-1001"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description The provider's id of the refund, as soon as it is known.
             * @example re_3MtwBw
             */
            provider_refund_id: string | null;
            /** @description The provider's reason for the failure. */
            failure_code: string | null;
            /** @description The client or person that asked for it; `null`: it was made at the provider, or is older than this field. */
            requested_by: components["schemas"]["Requester"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        RefundCreatedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "refund.created";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["RefundState"];
        };
        /** @enum {string} */
        RefundOrigin: "api" | "provider";
        RefundPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Refund"][];
            pagination: components["schemas"]["Pagination"];
        };
        RefundPayment: {
            /**
             * @description Sent to the provider where it takes one.
             * @example Customer returned the goods
             */
            reason?: string;
            /**
             * @description `true`: refund although disputes and refunds together exceed the captured amount.
             * @example false
             */
            confirm?: boolean;
        };
        RefundResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Refund"];
        };
        /** @description The refund as in `GET /refunds/{id}`, without `reason` and `metadata`. */
        RefundState: {
            /**
             * Format: int64
             * @description The id of it.
             */
            id: number;
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /**
             * Format: double
             * @description In the major unit of the currency.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            status: components["schemas"]["RefundStatus"];
            origin: components["schemas"]["RefundOrigin"];
            /** @description The provider's id of the refund. */
            provider_refund_id: string | null;
            /** @description The reason for the failure, as a code. */
            failure_code: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @enum {string} */
        RefundStatus: "pending" | "succeeded" | "failed";
        RefundUpdatedWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "refund.updated";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["RefundState"];
        };
        RejectVersion: {
            /**
             * @description Shown with the proposal and in the audit log.
             * @example Berlin has no contract for this
             */
            reason: string;
        };
        RenamedFlow: {
            /**
             * Format: int64
             * @description The id of the flow.
             */
            flow_id: number;
            /** @description The name of the flow. */
            flow_name: string;
            /** @description The name before. */
            previous_name: string;
        };
        Replay: {
            /**
             * Format: date-time
             * @description Only deliveries created at this time or later.
             * @example 2026-11-21T00:00:00Z
             */
            from: string;
            /**
             * Format: date-time
             * @description Only deliveries created before this time.
             * @example 2026-11-21T06:00:00Z
             */
            to: string;
            /**
             * @description Final status of the deliveries. If absent: both. Pending ones are not included, because the service sends them anyway.
             * @example failed
             */
            status?: components["schemas"]["FinishedDeliveryStatus"];
        };
        ReplayCounter: {
            /**
             * Format: int64
             * @description Payments that kept the counter of their own decision.
             * @example 990
             */
            recorded: number;
            /**
             * Format: int64
             * @description Payments without a counter: they are counted 0, 1, 2 … in the order of their creation.
             * @example 10
             */
            from_zero: number;
        };
        ReplayDeclines: {
            /**
             * Format: int64
             * @description By the payments' own decisions.
             * @example 0
             */
            before: number;
            /**
             * Format: int64
             * @description By the draft.
             * @example 15
             */
            after: number;
        };
        ReplayDraws: {
            /**
             * Format: int64
             * @description Payments that kept the random number of their own decision.
             * @example 990
             */
            recorded: number;
            /**
             * Format: int64
             * @description Payments without one: they use the next number of a generator.
             * @example 10
             */
            seeded: number;
            /**
             * Format: int64
             * @description The seed of the generator.
             * @example 1
             */
            seed: number;
        };
        ReplayFlow: {
            /**
             * Format: int64
             * @description A stored version, active or not.
             * @example 2
             */
            version?: number;
            /**
             * Format: date-time
             * @description Payments created at this time or later; default: all.
             * @example 2026-11-20T00:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description Payments created before this time.
             * @example 2026-11-21T00:00:00Z
             */
            to?: string;
            /**
             * Format: int64
             * @description The maximum number of payments; if there are more, the newest are used. Default: `100000`.
             * @example 100000
             */
            limit?: number;
            /**
             * Format: int64
             * @description The seed of the random numbers for payments without a recorded one: the same seed gives the same result. Default: `1`.
             * @example 1
             */
            seed?: number;
            /** @description A draft; it must be as valid as a stored one. */
            definition?: components["schemas"]["FlowDefinition"];
        };
        ReplayResult: {
            flow: components["schemas"]["ReplayedFlow"];
            /**
             * Format: int64
             * @description The number of payments.
             * @example 1000
             */
            payments: number;
            /**
             * @description Whether the range has more payments than `limit`; the oldest ones were omitted.
             * @example false
             */
            truncated: boolean;
            /**
             * Format: date-time
             * @description The creation time of the first payment.
             * @example 2026-11-20T00:00:01.234Z
             */
            first_created_at: string | null;
            /**
             * Format: date-time
             * @description The creation of the latest one.
             * @example 2026-11-20T23:59:58.765Z
             */
            last_created_at: string | null;
            /** @description Shops of the draft and of the past decisions, by id. */
            shops: components["schemas"]["ReplayedShop"][];
            /**
             * Format: int64
             * @description The number of payments that go to another shop, or to none.
             * @example 120
             */
            changed: number;
            /**
             * Format: int64
             * @description The number of payments that the draft has no shop for.
             * @example 0
             */
            without_shop: number;
            /** @description The payments that rules decline; they are not part of `without_shop`. */
            declined: components["schemas"]["ReplayDeclines"];
            /** @description The moves between shops, or from and to none, most payments first: at most 1000. */
            moves: components["schemas"]["Move"][];
            /** @description The first 20 changed payments, in the order of creation. */
            differences: components["schemas"]["Difference"][];
            /** @description The assertions of the draft that would refuse its activation, each with an example request; empty: all hold. */
            violations: components["schemas"]["AssertionViolation"][];
            /** @description The estimated approval rate of the draft. */
            approval: components["schemas"]["ApprovalEstimate"];
            /** @description The fees before and after by currency, most payments first. */
            costs: components["schemas"]["Cost"][];
            /** @description `null`: the draft needs none. */
            counter: components["schemas"]["ReplayCounter"] | null;
            /** @description `null`: the draft needs none. */
            draws: components["schemas"]["ReplayDraws"] | null;
        };
        ReplayResultResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ReplayResult"];
        };
        ReplayedFlow: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 12
             */
            id: number;
            /**
             * @description The name of it.
             * @example checkout
             */
            name: string;
            /**
             * Format: int64
             * @description `null`: a draft that is not stored.
             * @example 2
             */
            version: number | null;
            /** @example weighted */
            strategy: components["schemas"]["Strategy"];
        };
        ReplayedShop: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Berlin
             */
            shop_name: string;
            /** @description The picks of the payments' own decisions, before any failover. */
            before: components["schemas"]["Share"];
            /** @description The picks of the draft. */
            after: components["schemas"]["Share"];
        };
        Report: {
            /**
             * Format: date
             * @description The start of the time.
             * @example 2026-11-01
             */
            from: string;
            /**
             * Format: date
             * @description The end of the time.
             * @example 2026-11-30
             */
            to: string;
            interval: components["schemas"]["ReportInterval"];
            /**
             * @description The days are those of this time zone.
             * @example Europe/Berlin
             */
            time_zone: string;
            /**
             * @description The first day of each period.
             * @example [
             *       "2026-11-01"
             *     ]
             */
            periods: string[];
            /** @description In the order of periods. A period without anything has none. */
            sums: components["schemas"]["ReportSum"][];
        };
        /** @enum {string} */
        ReportInterval: "day" | "month" | "week";
        ReportResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Report"];
        };
        ReportSum: {
            /**
             * Format: date
             * @description The first day of the period.
             * @example 2026-11-01
             */
            period: string;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id?: number;
            /**
             * @description The shop's name.
             * @example Berlin
             */
            shop?: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency?: string;
            /**
             * @description `null`: unknown.
             * @example visa
             */
            scheme?: string | null;
            /**
             * @description The payer's country; `null`: unknown.
             * @example DE
             */
            country?: string | null;
            /**
             * Format: int64
             * @description Payments, captures, refunds or disputes; of approvals, attempts.
             * @example 120
             */
            count: number;
            /**
             * @description The exact sum, in major units.
             * @example 4990.00
             */
            amount?: string;
            /**
             * @description The exact fees, by the fees that the shops have now.
             * @example 98.45
             */
            fee?: string;
            /**
             * Format: int64
             * @description Captures for which the shop has no fee.
             * @example 0
             */
            without_fee?: number;
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 108
             */
            approved?: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 11
             */
            declined?: number;
            /**
             * Format: int64
             * @description Without an answer in time, or with an unknown one.
             * @example 1
             */
            failed?: number;
            /**
             * Format: int64
             * @description Approved of all that were approved, declined or failed; `null`: there are none.
             * @example 0.9
             */
            approval_rate?: number | null;
        };
        RequestApproval: {
            /**
             * @description Those who are asked: API clients, or subjects of people. If omitted: everyone who may approve.
             * @example [
             *       "client_1d9e2f3a4b5c"
             *     ]
             */
            colleagues?: string[];
            /**
             * @description For those who are asked; also in the audit log.
             * @example Berlin costs less
             */
            message?: string;
        };
        RequestedApproval: {
            /**
             * Format: int64
             * @description The id of the flow.
             */
            flow_id: number;
            /** @description The name of the flow. */
            flow_name: string;
            /**
             * Format: int64
             * @description The version of the flow.
             */
            version: number;
            /** @description The API client that asks, or the subject of a person. */
            requested_by: string;
            /** @description Those who are asked; none: everyone who may approve. */
            colleagues: string[];
            /**
             * Format: date-time
             * @description When it was requested.
             */
            requested_at: string;
        };
        Requester: {
            /**
             * @description The id of the OAuth client.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string;
            /**
             * @description Its name now; `null`: unknown, as of a person whom only the identity provider knows.
             * @example Ada Lovelace
             */
            name: string | null;
        };
        RetryDelivery: {
            /**
             * Format: uri
             * @description New address of this delivery. If absent, the address stays. Other webhooks of the payment keep their address. Refused for a delivery to a standing endpoint.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
        };
        /** @enum {string} */
        RollBackReason: "requested" | "guardrail";
        RolledBackFlow: {
            /**
             * Format: int64
             * @description The id of the flow.
             */
            flow_id: number;
            /** @description The name of the flow. */
            flow_name: string;
            /**
             * Format: int64
             * @description The version that all payments get again.
             */
            version: number;
            /**
             * Format: int64
             * @description Of a rollout: its candidate.
             */
            previous_version: number;
            /** @description `requested`: a client activated the earlier version or aborted the rollout. `guardrail`: the service aborted it. */
            reason: components["schemas"]["RollBackReason"];
            /**
             * Format: int64
             * @description `null`: the roll back of a version that all payments got.
             */
            rollout_id: number | null;
            /** @description The numbers that crossed the guardrail; `null`: it was not crossed. */
            guardrail: {
                /**
                 * Format: double
                 * @description Percent points of the approval rate, as the rollout sets them.
                 */
                max_drop_points: number;
                /**
                 * Format: double
                 * @description The candidate's approval rate is lower by these percent points.
                 */
                drop_points: number;
                /** @description The outcomes of the version that other payments get. */
                base: {
                    /**
                     * Format: int64
                     * @description How many payments it is about.
                     */
                    payments: number;
                    /**
                     * Format: int64
                     * @description The number that were approved.
                     */
                    approved: number;
                    /**
                     * Format: int64
                     * @description The number that were declined.
                     */
                    declined: number;
                    /**
                     * Format: int64
                     * @description Requests that no shop took. They are no payments, and count as not approved.
                     */
                    refused: number;
                };
                /** @description The outcomes of the version that is rolled out. */
                candidate: {
                    /**
                     * Format: int64
                     * @description How many payments it is about.
                     */
                    payments: number;
                    /**
                     * Format: int64
                     * @description The number that were approved.
                     */
                    approved: number;
                    /**
                     * Format: int64
                     * @description The number that were declined.
                     */
                    declined: number;
                    /**
                     * Format: int64
                     * @description Requests that no shop took. They are no payments, and count as not approved.
                     */
                    refused: number;
                };
            } | null;
        };
        Rollout: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 4
             */
            id: number;
            /**
             * Format: double
             * @description The candidate's share of the payments, now or when the rollout ended.
             * @example 10
             */
            percent: number;
            /** @example customer */
            key: components["schemas"]["RolloutKey"];
            /**
             * @description The condition of the payments that take part; `null`: all.
             * @example {
             *       "country": {
             *         "equals": "DE"
             *       }
             *     }
             */
            when: components["schemas"]["Condition"] | null;
            /**
             * @description `promoted`: the candidate became active for all payments. `aborted`: all payments got the active version again.
             * @example running
             */
            status: components["schemas"]["RolloutStatus"];
            /**
             * @description `null` while it is running.
             * @example requested
             */
            end_cause: components["schemas"]["RolloutEndCause"] | null;
            /**
             * Format: int64
             * @description The id of the flow.
             * @example 12
             */
            flow_id: number;
            /**
             * Format: int64
             * @description The candidate.
             * @example 2
             */
            version: number;
            /**
             * Format: int64
             * @description The version that was active when the rollout began.
             * @example 1
             */
            base_version: number;
            /** @description `null`: it is not aborted by itself. */
            guardrail: components["schemas"]["RolloutGuardrail"] | null;
            /**
             * @description The reason that was given.
             * @example Berlin costs less
             */
            reason: string | null;
            /**
             * @description Why it ended.
             * @example Berlin approves more
             */
            end_reason: string | null;
            /**
             * @description The API client that started it; `cli` or `system` without one.
             * @example client_0c8c1d1e6f0a
             */
            started_by: string;
            /**
             * @description `system`: its guardrail ended it.
             * @example client_0c8c1d1e6f0a
             */
            ended_by: string | null;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T01:02:03.456Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-21T01:02:03.456Z
             */
            ended_at: string | null;
            /** @description In order; the last one is the present one, or the one in which it ended. */
            stages: components["schemas"]["RolloutStage"][];
        };
        RolloutChoice: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 4
             */
            id: number;
            /**
             * Format: double
             * @description The candidate's share of the payments.
             * @example 10
             */
            percent: number;
            /** @example customer */
            key: components["schemas"]["RolloutKey"];
            /**
             * Format: int64
             * @description The candidate.
             * @example 2
             */
            version: number;
            /**
             * Format: int64
             * @description From 1; each change of the percent begins the next one.
             * @example 1
             */
            stage: number;
            /**
             * Format: int64
             * @description 0 … 9999: a hash of the customer, or a random number.
             * @example 731
             */
            bucket: number;
        };
        RolloutComparison: {
            /** @description `not_enough_payments`: a version has fewer than 30 outcomes, or they are from too few customers. */
            doubt: components["schemas"]["RolloutDoubt"] | null;
            /** @description The versions that are compared. */
            versions: components["schemas"]["ComparedVersion"][];
            /**
             * @description The candidate's approval rate minus the base's. Versions are compared within stages, so a change of all rates over time
             *     does not count as a difference. `null`: `doubt` has the reason.
             */
            difference: components["schemas"]["ComparedRate"] | null;
            /** @description `null`: the rollout has no guardrail. */
            guardrail: components["schemas"]["GuardrailState"] | null;
        };
        RolloutCourse: {
            /** @description The length of a step. */
            step: components["schemas"]["RolloutStepLength"];
            /** @description In the order of time, without gaps. */
            steps: components["schemas"]["RolloutStep"][];
        };
        RolloutCourseResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["RolloutCourse"];
        };
        /** @enum {string} */
        RolloutDoubt: "not_enough_payments";
        /** @enum {string} */
        RolloutEndCause: "requested" | "guardrail" | "flow_deleted";
        RolloutGuardrail: {
            /**
             * Format: double
             * @description In percent points.
             * @example 2
             */
            max_drop_points: number;
            /**
             * Format: double
             * @description How sure the guardrail must be, in percent.
             * @example 0.95
             */
            confidence: number;
            /**
             * Format: int64
             * @description The fewest payments that count.
             * @example 100
             */
            min_payments: number;
        };
        /** @enum {string} */
        RolloutKey: "payment" | "customer";
        RolloutPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Rollout"][];
            pagination: components["schemas"]["Pagination"];
        };
        RolloutResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Rollout"];
        };
        /** @enum {string} */
        RolloutRole: "base" | "candidate";
        RolloutStage: {
            /**
             * Format: double
             * @description The share of payments, in percent.
             * @example 10
             */
            percent: number;
            /**
             * Format: int64
             * @description From 1.
             * @example 1
             */
            stage: number;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T01:02:03.456Z
             */
            since: string;
            /**
             * @description The reason that was given.
             * @example Berlin costs less
             */
            reason: string | null;
        };
        /** @enum {string} */
        RolloutStatus: "running" | "promoted" | "aborted";
        RolloutStep: {
            /**
             * Format: date-time
             * @description The beginning of the hour or day, counted from the start of the rollout.
             * @example 2026-11-24T01:02:03.456Z
             */
            at: string;
            /** @description Payments of the version that was active before. */
            base: components["schemas"]["StepOutcomes"];
            /** @description Payments of the new version. */
            candidate: components["schemas"]["StepOutcomes"];
        };
        /**
         * @description The length of a step.
         * @enum {string}
         */
        RolloutStepLength: "day" | "hour";
        RotateClientSecret: {
            /**
             * Format: int64
             * @description How long the old secret stays valid; 0: it stops at once. Default: `0`.
             * @example 0
             */
            overlap_seconds?: number;
        };
        RotateEndpointSecret: {
            /**
             * Format: int64
             * @description The delay until the new secret signs. Until then `Signature` is made with the old one, and `webhook-signature` with both. Default: `0`.
             * @example 3600
             */
            activate_in_seconds?: number;
            /**
             * Format: int64
             * @description How long webhooks have a signature of the old secret, too, after the new one has begun to sign; 0: not at all. Default: `86400`.
             * @example 86400
             */
            overlap_seconds?: number;
            /**
             * @description The new secret, if the merchant generated it: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. A request with a secret can be repeated.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret?: string;
        };
        RotateWebhookSecret: {
            /**
             * Format: int64
             * @description The delay until the new secret signs. Until then `Signature` is made with the old one, and `webhook-signature` with both. Default: `0`.
             * @example 3600
             */
            activate_in_seconds?: number;
            /**
             * Format: int64
             * @description How long webhooks have a signature of the old secret, too, after the new one has begun to sign; 0: not at all. Default: `86400`.
             * @example 86400
             */
            overlap_seconds?: number;
            /**
             * @description The new secret, if the merchant generated it: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. A request with a secret can be repeated.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret?: string;
        };
        RotatedClientSecret: {
            /**
             * @description The id of the OAuth client.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string;
            /**
             * @description Shown only in this answer.
             * @example secret_6f0a…
             */
            client_secret: string;
            /**
             * Format: date-time
             * @description Until when the old secret is valid; `null`: it is not.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_secret_expires_at: string | null;
        };
        RotatedClientSecretResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["RotatedClientSecret"];
        };
        RotatedEndpointSecret: {
            /**
             * @description The new secret.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
            /**
             * @description When it begins to sign.
             * @example 2026-11-21T02:02:03.456Z
             */
            secret_active_from: string;
            /**
             * Format: date-time
             * @description Until when webhooks are signed with the old secret, too; `null`: no longer signed with it.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_secret_expires_at: string | null;
        };
        RotatedEndpointSecretResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["RotatedEndpointSecret"];
        };
        RotatedShop: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description How webhooks are signed: only with the webhook secret, or also with the shop's own key.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /**
             * @description The secret that signs the shop's webhooks.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret: string;
            /**
             * @description The name of it.
             * @example Main shop
             */
            name: string;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of its account at the provider: shops of one account accept the same payment method tokens.
             * @example eu
             */
            provider_account: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * @description `false`: the module of its provider is not loaded, so it takes no payments and its provider is not asked.
             * @example true
             */
            available: boolean;
            /** @description The provider's fees, for routing by cost and for backtests; empty: unknown. */
            fees: components["schemas"]["Fee"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            /**
             * @description When the new secret begins to sign.
             * @example 2026-11-21T02:02:03.456Z
             */
            webhook_secret_active_from: string;
            /**
             * Format: date-time
             * @description Until when webhooks are signed with the old secret, too; `null`: no longer signed with it.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_webhook_secret_expires_at: string | null;
        };
        RotatedShopResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["RotatedShop"];
        };
        RoundRobinReasoning: {
            /**
             * @description The strategy that decided. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            by: "round_robin";
            /**
             * Format: int64
             * @description The number of payments that the flow had routed before.
             */
            counter: number;
            /**
             * Format: int64
             * @description The position of the pick among the alternating shops, from 0.
             */
            position: number;
            /**
             * Format: int64
             * @description The number of alternating shops.
             */
            of: number;
        };
        /** @enum {string} */
        RoutingTest: "disabled" | "currency" | "country" | "min_amount" | "max_amount" | "no_payment_method" | "capability_missing" | "unhealthy" | "rule";
        Rule: {
            /**
             * @description For people; unique in the flow. A new name keeps the counts of the rule.
             * @example Maestro from Germany
             */
            name?: string;
            /** @description The condition that a payment must meet. */
            when: components["schemas"]["Condition"];
            /**
             * @description The effect if none of the shops in `use` may take a payment. `next`: the next rule that matches is tried, at last
             *     `default`. `refuse`: no later rule is tried, and without a shop `POST /payments` answers 409 `no_available_shop`. Only
             *     with `use`. If omitted: `next`.
             * @example refuse
             */
            otherwise?: components["schemas"]["RuleOtherwise"];
            /** @description The shops that get the payments. Required without `decline`. */
            use?: components["schemas"]["RuleUse"];
            /** @description Declines the payments instead: they become `failed`, and no shop is asked. */
            decline?: components["schemas"]["RuleDecline"];
        };
        RuleCondition: {
            /**
             * @description The name of the field, or its path.
             * @example metadata.tier
             */
            field: string;
            /**
             * Format: int64
             * @description The looked-at payments that pass the test.
             * @example 240
             */
            met: number;
        };
        RuleDecline: {
            /**
             * @description For people.
             * @example We do not sell to this country.
             */
            message?: string;
            /**
             * @description Your own code; it appears where a shop's decline code would.
             * @example blocked_country
             */
            code: string;
        };
        RuleDeclined: {
            /**
             * @description The code, for programs.
             * @example blocked_country
             */
            code: string;
            /**
             * @description The reason, for people.
             * @example We do not sell to this country.
             */
            message: string | null;
        };
        RuleFacts: {
            /**
             * @description The index of the rule, or `default`.
             * @example 0
             */
            rule: number | "default";
            /**
             * Format: int64
             * @description The counted payments of the last 24 hours that it decided, in any version that has the same rule.
             * @example 12
             */
            hits_24h: number;
            /**
             * Format: int64
             * @description The same of the last 30 days.
             * @example 340
             */
            hits_30d: number;
            /** @description The tests of its condition, in their order. */
            conditions: components["schemas"]["RuleCondition"][];
            /** @description What is unusual about it. */
            warnings: components["schemas"]["RuleWarning"][];
        };
        /** @enum {string} */
        RuleOtherwise: "next" | "refuse";
        /** @enum {string} */
        RuleStrategy: "round_robin" | "weighted" | "priority" | "sticky" | "success_rate" | "lowest_cost";
        RuleUse: {
            /**
             * @description Shops of the flow; their weights, priorities and conditions apply as usual.
             * @example [
             *       3,
             *       5
             *     ]
             */
            shops: number[];
            /**
             * @description The strategy that chooses among them.
             * @example weighted
             */
            strategy: components["schemas"]["RuleStrategy"];
            /** @description Options of the strategy `success_rate`; refused with other strategies. */
            success_rate?: components["schemas"]["SuccessRate"];
        };
        RuleWarning: {
            /**
             * @description `never_hit`: it decided none of the counted payments, although its version is active for a day or has had a hundred
             *     payments. `unknown_metadata`: no looked-at payment had this metadata, and the rule is not for its absence.
             *     `unknown_value`: none had a value that the rule names.
             * @example unknown_metadata
             */
            code: components["schemas"]["RuleWarningCode"];
            /**
             * @description `null`: it is about the whole rule.
             * @example metadata.tier
             */
            field: string | null;
            /**
             * @description The reason, for people.
             * @example none of the last 1000 payments had metadata.tier
             */
            message: string;
        };
        /** @enum {string} */
        RuleWarningCode: "never_hit" | "unknown_metadata" | "unknown_value";
        RunningRollout: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 4
             */
            id: number;
            /**
             * Format: double
             * @description The share of payments, in percent.
             * @example 10
             */
            percent: number;
            /** @example customer */
            key: components["schemas"]["RolloutKey"];
            /**
             * Format: int64
             * @description The candidate.
             * @example 2
             */
            version: number;
        };
        SandboxDispute: {
            /**
             * @description The `provider_dispute_id` of `GET /disputes`.
             * @example sbd_dashboard_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            id: string;
            /** @example chargeback */
            kind: components["schemas"]["DisputeKind"];
            /** @example open */
            status: components["schemas"]["DisputeStatus"];
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 10
             */
            amount: number;
            /**
             * @description The provider's id of the payment.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            transaction_id: string;
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description The provider's code for the reason.
             * @example fraudulent
             */
            reason_code: string;
            /**
             * @description The card network's code for the reason.
             * @example 10.4
             */
            network_reason_code: string | null;
            /**
             * @description Until when evidence can be submitted.
             * @example 2026-12-01T23:59:59.000Z
             */
            evidence_due_by: string;
            /**
             * Format: date-time
             * @description When it was opened.
             * @example 2026-11-21T01:02:03.456Z
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        SandboxDisputeResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["SandboxDispute"];
        };
        SandboxTransaction: {
            /**
             * @description The provider's id of the transaction.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            id: string;
            /** @example captured */
            status: components["schemas"]["SandboxTransactionStatus"];
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 49.9
             */
            amount: number;
            /**
             * Format: double
             * @description The amount that is captured.
             * @example 49.9
             */
            captured_amount: number;
            /**
             * Format: double
             * @description The sum of refunds that are done.
             * @example 0
             */
            refunded_amount: number;
            /**
             * @description Our reference, one for each attempt.
             * @example 0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            reference: string;
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /** @description When the authorisation of a manual charge ends; `null`: the charge captures. */
            capture_before: string | null;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description Key of the charge; `null` for a void that came before any charge, which is then declined.
             * @example 5f0f7c34-7a4b-4b57-9a55-1f5b8d7c2a10
             */
            idempotency_key: string | null;
            /**
             * Format: int64
             * @description Number of calls of the charge, repeats included.
             * @example 1
             */
            calls: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        SandboxTransactionPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["SandboxTransaction"][];
            pagination: components["schemas"]["Pagination"];
        };
        SandboxTransactionResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["SandboxTransaction"];
        };
        /** @enum {string} */
        SandboxTransactionStatus: "open" | "authorized" | "voided" | "declined" | "captured" | "refunded";
        SaveMethod: {
            /**
             * @description The kind of payment method, for conditions and reports.
             * @example card
             */
            type?: string;
            /**
             * @description The payer's agreement about charges without them.
             * @example subscription
             */
            agreement?: components["schemas"]["Agreement"];
            /** @description The payment method by account. */
            options: components["schemas"]["SavedMethodOption"][];
            card?: components["schemas"]["CardFacts"];
            /**
             * @description The card network's id of the payer's first charge, for example at another provider: charges with `initiator: merchant` refer to it.
             * @example MCC123456789012
             */
            network_transaction_id?: string;
        };
        SavedMethod: {
            /**
             * Format: int64
             * @description For `payment_method_id` of a payment.
             * @example 12
             */
            id: number;
            /**
             * @description The payer's agreement about charges without them; absent: none is known.
             * @example subscription
             */
            agreement?: components["schemas"]["Agreement"];
            /**
             * Format: int64
             * @description The id of the customer.
             * @example 7
             */
            customer_id: number;
            /**
             * @description The kind of it.
             * @example card
             */
            type: string | null;
            /** @description The accounts that have the payment method. */
            options: components["schemas"]["PaymentMethodAccount"][];
            /** @description Facts about the card. */
            card: components["schemas"]["CardFacts"] | null;
            /** @description The card network's id of the payer's first charge; `null`: neither the provider nor the request has it. */
            network_transaction_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
        };
        SavedMethodOption: {
            /**
             * @description The provider of the account.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of the account (`provider_account` of a shop). If omitted: any account at the provider.
             * @example eu
             */
            account?: string;
            /**
             * @description The provider's token.
             * @example tok_success
             */
            token: string;
        };
        SavedMethodPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["SavedMethod"][];
            pagination: components["schemas"]["Pagination"];
        };
        SavedMethodResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["SavedMethod"];
        };
        /** @enum {string} */
        Scope: "flows:read" | "flows:write" | "flows:activate" | "flows:simulate" | "shops:read" | "shops:write" | "payments:read" | "payments:write" | "payments:settle" | "webhooks:read" | "webhooks:write" | "webhooks:secrets" | "audit:read" | "clients:write";
        Search: {
            /** @description The payments that match. */
            payments: components["schemas"]["Payment"][];
            /** @description The customers that match. */
            customers: components["schemas"]["StoredCustomer"][];
            /** @description The refunds that match. */
            refunds: components["schemas"]["Refund"][];
        };
        SearchResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Search"];
        };
        SegmentApprovals: {
            /**
             * @description The dimensions that make a segment.
             * @example [
             *       "card.scheme"
             *     ]
             */
            by: components["schemas"]["SegmentField"][];
            /**
             * @description The start of the time.
             * @example 2026-11-24T00:00:00.000Z
             */
            from: string;
            /**
             * @description The end of the last hour; it may be in the future.
             * @example 2026-11-25T00:00:00.000Z
             */
            to: string;
            /**
             * @description The beginning of the period before. It is as long; if that is more than 48 hours ago, it begins with the whole day in UTC.
             * @example 2026-11-23T00:00:00.000Z
             */
            before_from: string;
            /**
             * @description The first hour that is counted: of a day 34 days ago, or of the upgrade to the version that counts.
             * @example 2026-10-21T00:00:00.000Z
             */
            counted_since: string;
            /** @description At most 500. */
            cells: components["schemas"]["ApprovalCell"][];
            /**
             * @description There are more cells, with fewer attempts.
             * @example false
             */
            is_truncated: boolean;
        };
        SegmentApprovalsResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["SegmentApprovals"];
        };
        SegmentAttempt: {
            /**
             * Format: int64
             * @description The number of it, from 1.
             * @example 1
             */
            number: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            /**
             * @description The outcome of the attempt.
             * @example soft_declined
             */
            outcome: string;
            /**
             * @description The reason of the decline.
             * @example insufficient_funds
             */
            decline_code: string | null;
            card: components["schemas"]["SegmentCard"];
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-24T01:02:03.456Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-24T01:02:03.868Z
             */
            ended_at: string;
        };
        SegmentCard: {
            /**
             * @description The scheme of the card.
             * @example visa
             */
            scheme: string | null;
            /**
             * @description The funding of the card.
             * @example credit
             */
            funding: string | null;
            /**
             * @description The country of the issuer, ISO 3166-1 alpha-2.
             * @example FR
             */
            issuer_country: string | null;
            /**
             * @description The first six digits.
             * @example 411111
             */
            bin: string | null;
        };
        /**
         * @description One or two fields that divide payments into segments. In each segment the shops are compared by their approval rates
         *     there. Where a segment has few outcomes, the rate of the first field decides, then that of the whole shop. If omitted:
         *     the rate of the whole shop.
         * @enum {string}
         */
        SegmentField: "card.bin" | "card.funding" | "card.issuer_country" | "card.scheme" | "country" | "currency";
        SegmentPayment: {
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 49.9
             */
            amount: number;
            /**
             * Format: int64
             * @description The id of the payment.
             * @example 4711
             */
            payment_id: number;
            /**
             * @description The payment's.
             * @example completed
             */
            status: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-24T01:02:03.456Z
             */
            created_at: string;
            /** @description Those of the payment's attempts that match, in order. */
            attempts: components["schemas"]["SegmentAttempt"][];
        };
        SegmentPaymentPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["SegmentPayment"][];
            pagination: components["schemas"]["Pagination"];
        };
        SegmentValues: {
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency?: string | null;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country?: string | null;
            /**
             * @description The scheme of the card.
             * @example visa
             */
            "card.scheme"?: string | null;
            /**
             * @description The funding of the card.
             * @example credit
             */
            "card.funding"?: string | null;
            /**
             * @description The country of the issuer, ISO 3166-1 alpha-2.
             * @example FR
             */
            "card.issuer_country"?: string | null;
            /**
             * @description The first digits of the card number.
             * @example 411111
             */
            "card.bin"?: string | null;
        };
        SettleOperation: {
            /**
             * @description The outcome that you found at the provider. `captured`: the payer was charged. `not_captured`: the payer was not charged by this
             *     operation. `voided`: nothing was charged, and nothing can be. `refunded`: the payer got the money back. `not_refunded`:
             *     the payer did not get this refund.
             * @example captured
             */
            outcome: components["schemas"]["SettleOutcome"];
            /**
             * @description The provider's id: of the transaction for a charge, otherwise of the capture, void or refund.
             * @example tx_1001
             */
            provider_transaction_id?: string;
            /**
             * Format: double
             * @description With `captured` and `refunded`: the amount that was captured, in the payment's currency; if omitted, the operation's
             *     amount. Never more than was authorised or asked. A refund takes its own amount only.
             * @example 49.9
             */
            amount?: number;
            /**
             * @description Why, for the audit log and the operation: where you looked, and whom you asked.
             * @example The dashboard shows the charge as paid
             */
            reason: string;
            /**
             * @description `true`: settle although the provider reports another outcome, or with more than the operation's amount.
             * @example false
             */
            confirm?: boolean;
        };
        /** @enum {string} */
        SettleOutcome: "captured" | "not_captured" | "refunded" | "not_refunded" | "voided";
        Share: {
            /**
             * Format: double
             * @description The share of all payments.
             * @example 0.6
             */
            share: number;
            /**
             * Format: int64
             * @description How many payments it is about.
             * @example 600
             */
            payments: number;
        };
        Shop: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description How webhooks are signed: only with the webhook secret, or also with the shop's own key.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /**
             * @description The name of it.
             * @example Main shop
             */
            name: string;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of its account at the provider: shops of one account accept the same payment method tokens.
             * @example eu
             */
            provider_account: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * @description `false`: the module of its provider is not loaded, so it takes no payments and its provider is not asked.
             * @example true
             */
            available: boolean;
            /** @description The provider's fees, for routing by cost and for backtests; empty: unknown. */
            fees: components["schemas"]["Fee"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        ShopApprovals: {
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            /** @description 24 hours, oldest first; the last one is the current hour. */
            hours: components["schemas"]["OutcomeCounts"][];
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 12
             */
            declined: number;
            /**
             * Format: int64
             * @description Without a valid answer of the provider.
             * @example 1
             */
            failed: number;
        };
        ShopConditions: {
            /**
             * Format: double
             * @description The minimum amount, inclusive.
             * @example 1
             */
            min_amount?: number;
            /**
             * Format: double
             * @description The maximum amount, inclusive.
             * @example 5000
             */
            max_amount?: number;
            /**
             * @description ISO 4217 codes.
             * @example [
             *       "EUR",
             *       "USD"
             *     ]
             */
            currencies?: string[];
            /**
             * @description ISO 3166-1 alpha-2 codes; a payment without a country does not meet this condition.
             * @example [
             *       "DE",
             *       "FR"
             *     ]
             */
            countries?: string[];
        };
        ShopCredential: {
            /**
             * @description `calls`: sent with our calls, so a check shows whether it works; `notifications`: verifies the provider's
             *     notifications.
             * @example calls
             */
            used_for: components["schemas"]["CredentialUse"];
            /**
             * @description Its key in `provider_credentials`.
             * @example secret_key
             */
            name: string;
            /**
             * @description Description.
             * @example a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…
             */
            takes: string;
            /**
             * @description Whether it must be set.
             * @example true
             */
            required: boolean;
            /**
             * @description Whether it is never shown in full.
             * @example true
             */
            secret: boolean;
            /**
             * @description The shop's value: of a secret the last four characters, or `…` for a short secret; `null`: none.
             * @example …mnop
             */
            value: string | null;
        };
        ShopCredentialListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["ShopCredential"][];
        };
        ShopDeclines: {
            /**
             * Format: date-time
             * @description Start of the counted time: 7 days ago, or later for a shop with very many declines.
             * @example 2026-11-14T01:02:03.456Z
             */
            since: string;
            /**
             * @description Declines because of the shop's configuration (`payment_method_unusable`, `permission_missing`): check the flows with this shop, and its
             *     credentials.
             */
            configuration_faults: components["schemas"]["ConfigurationFaults"];
            /** @description The most frequent codes, at most 50. */
            codes: components["schemas"]["DeclineCode"][];
        };
        ShopDown: {
            /** @description The name of the shop. */
            shop_name: string;
            /** @description The name of the payment provider. */
            provider: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            began_at: string;
            /**
             * Format: int64
             * @description Payments of the last five minutes.
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             */
            declined: number;
            /**
             * Format: int64
             * @description By a fault of the shop's account or provider.
             */
            failed: number;
        };
        ShopDownWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "shop.down";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["ShopDown"];
        };
        ShopHealth: {
            /**
             * @description `unhealthy`: too many faults, flows exclude it for a minute; `probing`: it gets one in ten of its picks until a payment succeeds (half-open); `unavailable`: its provider is not loaded.
             * @example healthy
             */
            status: components["schemas"]["ShopHealthStatus"];
            /**
             * Format: date-time
             * @description The time of the last change of the status; `null`: never changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            since: string | null;
            window: components["schemas"]["ShopOutcomes"];
        };
        ShopHealthRule: {
            /**
             * Format: double
             * @description Share of all outcomes of the window.
             * @example 0.5
             */
            fault_share: number;
            /**
             * Format: int64
             * @description Length of the window in which faults count, with the current minute.
             * @example 5
             */
            window_minutes: number;
            /**
             * Format: int64
             * @description The fewest outcomes that count.
             * @example 10
             */
            min_outcomes: number;
            /**
             * Format: int64
             * @description Time without payments after the last fault that counted; then the shop gets a few test payments.
             * @example 60
             */
            cool_down_seconds: number;
        };
        /** @enum {string} */
        ShopHealthStatus: "healthy" | "unhealthy" | "probing" | "unavailable";
        ShopHour: {
            /**
             * Format: double
             * @description Share of approved outcomes; `null` without any outcome. Strategies that use approval rates are based on it. It is not
             *     the approval rate of `GET /insights/approvals`, where declines by the payer's card and wrong configuration count too.
             * @example 0.92
             */
            routing_rate: number | null;
            /**
             * Format: double
             * @deprecated
             * @description The former name of `routing_rate`.
             * @example 0.92
             */
            approval_rate: number | null;
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 9
             */
            declined: number;
            /**
             * Format: int64
             * @description Faults of the shop or its provider: unavailable, no answer in time, internal errors.
             * @example 1
             */
            failed: number;
        };
        ShopMinute: {
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 9
             */
            declined: number;
            /**
             * Format: int64
             * @description Faults of the shop or its provider: unavailable, no answer in time, internal errors.
             * @example 1
             */
            failed: number;
            /**
             * Format: date-time
             * @description When the minute began.
             * @example 2026-11-21T01:02:00.000Z
             */
            at: string;
        };
        ShopOutcomes: {
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 9
             */
            declined: number;
            /**
             * Format: int64
             * @description Faults of the shop or its provider: unavailable, no answer in time, internal errors.
             * @example 1
             */
            failed: number;
        };
        ShopPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["ListedShop"][];
            pagination: components["schemas"]["Pagination"];
        };
        ShopReference: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 3
             */
            id: number;
            /**
             * @description The name of it.
             * @example Berlin
             */
            name: string;
        };
        ShopReport: {
            health: components["schemas"]["ShopHealth"];
            /**
             * @description End of the time in which flows exclude the shop, unless another fault occurs; `null` if they do not.
             * @example 2026-11-21T01:03:03.456Z
             */
            unhealthy_until: string | null;
            health_rule: components["schemas"]["ShopHealthRule"];
            /** @description The sum of `minutes`. */
            last_hour: components["schemas"]["ShopHour"];
            /** @description The last 60 minutes, the current one last. */
            minutes: components["schemas"]["ShopMinute"][];
            declines: components["schemas"]["ShopDeclines"];
        };
        ShopReportResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ShopReport"];
        };
        ShopResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Shop"];
        };
        ShopUp: {
            /** @description The name of the shop. */
            shop_name: string;
            /** @description The name of the payment provider. */
            provider: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            began_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            ended_at: string;
        };
        ShopUpWebhook: {
            /** @description The id of the event, the same for every endpoint and in `GET /events`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "shop.up";
            /** @description Always `true`. Present only in a requested sample. */
            test?: boolean;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description `null`: the event is about no single shop.
             */
            shop_id: number | null;
            /**
             * Format: int64
             * @description `null`: the event is about no payment.
             */
            payment_id: number | null;
            data: components["schemas"]["ShopUp"];
        };
        ShopWarning: {
            /** @description `payment_method_unusable`: the account did not have the payment methods of these payments. Check its `provider_account` and the flows with this shop. `permission_missing`: its credentials lack a permission that these payments need. */
            code: components["schemas"]["ShopWarningCode"];
            /**
             * Format: date-time
             * @description The first of them within the last 24 hours, to the minute.
             * @example 2026-11-21T01:00:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @description Their number within the last 24 hours.
             * @example 12
             */
            payments: number;
        };
        /** @enum {string} */
        ShopWarningCode: "payment_method_unusable" | "permission_missing";
        ShopWithHealth: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description How webhooks are signed: only with the webhook secret, or also with the shop's own key.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            health: components["schemas"]["ShopHealth"];
            /** @description Empty if there is nothing to correct. */
            warnings: components["schemas"]["ShopWarning"][];
            webhook_rotation: components["schemas"]["WebhookRotation"];
            /**
             * @description The name of it.
             * @example Main shop
             */
            name: string;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The label of its account at the provider: shops of one account accept the same payment method tokens.
             * @example eu
             */
            provider_account: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * @description `false`: the module of its provider is not loaded, so it takes no payments and its provider is not asked.
             * @example true
             */
            available: boolean;
            /** @description The provider's fees, for routing by cost and for backtests; empty: unknown. */
            fees: components["schemas"]["Fee"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        ShopWithHealthResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ShopWithHealth"];
        };
        /**
         * @description `null` if the webhook is valid.
         * @enum {string}
         */
        SignatureFault: "changed_body" | "changed_whitespace" | "malformed_header" | "missing_header" | "previous_secret" | "reserialized_body" | "stale_timestamp" | "wrong_encoding" | "wrong_secret";
        SimulateFlow: {
            /**
             * @description The name of the flow.
             * @example checkout
             */
            flow_name: string;
            /**
             * Format: double
             * @description Same rules as for a payment: above 0, with at most the currency's decimals. Default: `100`.
             * @example 100
             */
            amount?: number;
            /**
             * @description ISO 4217. Default: `"USD"`.
             * @example USD
             */
            currency?: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country?: string;
            /**
             * Format: int64
             * @description Only an input of the decision; the customer need not exist.
             * @example 7
             */
            customer_id?: number;
            /**
             * @description If omitted: the flow's. A shop whose provider cannot capture later takes no payment with `manual`.
             * @example automatic
             */
            capture?: components["schemas"]["CaptureMode"];
            /**
             * Format: int64
             * @description Simulate this many payments of this kind, one after the other. Adds `picks` and `shares`.
             * @example 10
             */
            count?: number;
            /**
             * @description Assumed states of shops, by shop id: `enabled` (both the shop itself and in the flow), `weight`, `healthy`, and
             *     `fees` instead of the shop's own (`[]`: unknown).
             * @example {
             *       "shops": {
             *         "3": {
             *           "enabled": false
             *         },
             *         "5": {
             *           "weight": 5,
             *           "healthy": true
             *         }
             *       }
             *     }
             */
            overrides?: {
                /** @description The shops of it. */
                shops?: {
                    [key: string]: {
                        enabled?: boolean;
                        /** Format: int64 */
                        weight?: number;
                        healthy?: boolean;
                        fees?: components["schemas"]["Fee"][];
                    };
                };
            };
            /**
             * Format: int64
             * @description The assumed number of payments that the flow has routed.
             * @example 41
             */
            at_counter?: number;
            /**
             * Format: int64
             * @description The seed of the random numbers of `success_rate`: the same seed gives the same picks. Default: `1`.
             * @example 1
             */
            seed?: number;
            /**
             * @description Free-form, at most 16 KiB as JSON.
             * @example {
             *       "order_id": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description As for a payment; the tokens may be left out, because they decide nothing. */
            payment_method?: components["schemas"]["PaymentMethod"];
            /**
             * @description Answer only `true` or `false`: whether there is a shop for the payment. Default: `false`.
             * @example false
             */
            simple?: boolean;
            /** @description A draft to use instead of the active version; it must be as valid as a stored one. */
            definition?: components["schemas"]["FlowDefinition"];
            /**
             * @description Add `explanation`: the reasons for the pick, and against every other shop. Default: `false`.
             * @example false
             */
            explain?: boolean;
        };
        SimulatedDraws: {
            /**
             * @description Where the random numbers come from.
             * @example seeded
             * @enum {string}
             */
            source: "seeded";
            /**
             * Format: int64
             * @description The seed of the random numbers.
             * @example 1
             */
            seed: number;
        };
        SimulatedFlow: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 12
             */
            id: number;
            /**
             * @description The name of it.
             * @example checkout
             */
            name: string;
            /** @example round_robin */
            strategy: components["schemas"]["Strategy"];
        };
        SimulatedPick: {
            /**
             * Format: int64
             * @description Before the payment; `null` for a strategy without a counter.
             * @example 42
             */
            counter: number | null;
            /**
             * Format: int64
             * @description `null`: no shop of the flow takes the payment, or a rule declines it.
             * @example 3
             */
            shop_id: number | null;
        };
        SimulatedShare: {
            /**
             * Format: double
             * @description `picks` / `count`.
             * @example 0.5
             */
            share: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Berlin
             */
            shop_name: string;
            /**
             * Format: int64
             * @description How often it was picked.
             * @example 5
             */
            picks: number;
        };
        SimulationResponse: {
            success: boolean;
            data: components["schemas"]["FlowSimulation"];
        } | boolean;
        SimulationResult: {
            /** @example round_robin */
            strategy: components["schemas"]["Strategy"];
            /** @description `null`: no shop of the flow takes the payment, or a rule declines it. */
            primary_shop: components["schemas"]["PrimaryShop"] | null;
            /** @description Only if a rule declines the payment: its decline. */
            declined?: components["schemas"]["RuleDeclined"];
            /**
             * @description Always `true`: nothing was changed.
             * @example true
             */
            simulation_mode: boolean;
            /**
             * Format: int64
             * @description The number of payments that the flow has routed; `null` for a strategy without a counter.
             * @example 42
             */
            current_counter: number | null;
            /**
             * Format: int64
             * @description The counter after the payment: one more, unless the payment is routed without counting or goes to no shop.
             * @example 43
             */
            next_counter: number | null;
        };
        StartRollout: {
            /**
             * Format: int64
             * @description The version that gets some of the payments. It must not be the active one.
             * @example 2
             */
            version: number;
            /**
             * Format: double
             * @description The candidate's share of the payments, with at most two decimals.
             * @example 10
             */
            percent: number;
            /**
             * @description `customer`: all payments of a customer get the same version, and those without a customer are divided one by one.
             * @example customer
             */
            key: components["schemas"]["RolloutKey"];
            /**
             * @description Only payments that meet this condition, written as in a rule, take part and are compared; the others get the active version. If omitted: all.
             * @example {
             *       "country": {
             *         "equals": "DE"
             *       }
             *     }
             */
            when?: components["schemas"]["Condition"];
            /**
             * @description Why it is rolled out; shown with the rollout and in the audit log.
             * @example Berlin costs less
             */
            reason?: string;
            /**
             * Format: int64
             * @description The active version that this one was compared with. If another version is active by now, the call is refused (`flow_changed`).
             * @example 1
             */
            based_on_version?: number;
            guardrail?: components["schemas"]["Guardrail"];
        };
        StatusChange: {
            /** @example provider_answer */
            cause: components["schemas"]["ChangeCause"];
            /** @example pending */
            from: components["schemas"]["PaymentStatus"];
            /** @example processing */
            to: components["schemas"]["PaymentStatus"];
            /**
             * Format: date-time
             * @description The time of it.
             * @example 2026-11-21T01:02:03.789Z
             */
            at: string;
        };
        StatusChangeListResponse: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["StatusChange"][];
        };
        StepCounts: {
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 108
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 11
             */
            declined: number;
            /**
             * Format: int64
             * @description The number that failed.
             * @example 1
             */
            failed: number;
        };
        StepOutcomes: {
            /**
             * Format: int64
             * @description The number that were approved.
             * @example 18
             */
            approved: number;
            /**
             * Format: int64
             * @description The number that were declined.
             * @example 2
             */
            declined: number;
        };
        StickyReasoning: {
            /**
             * @description The strategy that decided. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            by: "sticky";
            /**
             * Format: int64
             * @description The id of the customer.
             */
            customer_id: number;
            /**
             * Format: double
             * @description Hash of customer and shop, between 0 and 1.
             */
            hash: number;
            /**
             * Format: double
             * @description weight / -ln(hash): the highest score wins.
             */
            score: number;
            /** @description The second highest score. */
            runner_up: {
                /** Format: int64 */
                shop_id: number;
                /** Format: double */
                score: number;
            } | null;
        };
        StoredCustomer: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 7
             */
            id: number;
            /**
             * @description Your own id of the customer; no personal data. If you already have a customer with this id, it is used: the given
             *     fields replace the stored ones, the others stay. Without it every payment creates a customer.
             * @example user-4711
             */
            reference?: string;
            /**
             * @description As the payer wrote it. The format is not checked, so it never makes a payment fail. Control characters are removed.
             * @example +44 20 7946 0958
             */
            phone?: string;
            /**
             * @description The first name.
             * @example Ada
             */
            first_name?: string;
            /**
             * @description The last name.
             * @example Lovelace
             */
            last_name?: string;
            /**
             * @description The whole name, if it is not the two names together.
             * @example Ada Lovelace
             */
            full_name?: string;
            /**
             * @description Street and number.
             * @example 12 Queen Square
             */
            address?: string;
            /**
             * @description The city of the address.
             * @example London
             */
            city?: string;
            /**
             * @description The region or state of the address.
             * @example Greater London
             */
            region?: string;
            /**
             * @description The postal code of the address.
             * @example SW1Y 4JH
             */
            postal_code?: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example GB
             */
            country_code?: string;
            /**
             * Format: date
             * @description YYYY-MM-DD.
             * @example 1985-12-10
             */
            date_of_birth?: string;
            /**
             * @description In your own words.
             * @example female
             */
            gender?: string;
            /**
             * @description The company of the customer.
             * @example Analytical Engines Ltd
             */
            company?: string;
            /**
             * @description The VAT number.
             * @example GB123456789
             */
            vat_number?: string;
            /**
             * Format: email
             * @description The e-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the erasure was requested; `null`: not erased.
             */
            erased_at: string | null;
            /**
             * @description The path of its payments.
             * @example /payments?customer_id=7
             */
            payments_url: string;
        };
        StoredCustomerPage: {
            /** @description Always `true`. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["StoredCustomer"][];
            pagination: components["schemas"]["Pagination"];
        };
        StoredCustomerResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["StoredCustomer"];
        };
        /** @enum {string} */
        Strategy: "round_robin" | "weighted" | "priority" | "sticky" | "rules" | "success_rate" | "lowest_cost";
        StuckOperation: {
            /**
             * Format: int64
             * @description The id of the payment.
             */
            payment_id: number;
            /**
             * Format: int64
             * @description The id of the operation.
             */
            operation_id: number;
            kind: components["schemas"]["OperationKind"];
            /**
             * Format: int64
             * @description The number of the attempt, from 1.
             */
            attempt: number;
            /** @description The name of the payment provider. */
            provider: string;
            /**
             * Format: double
             * @description In the major unit of the currency.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description `true`: the service no longer asks the provider; a person must act. */
            is_stopped: boolean;
            /**
             * Format: int64
             * @description How often it was tried.
             */
            tries: number;
            /** @description The provider's last answer, as a code. */
            last_answer: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        SuccessRate: {
            /**
             * @description The value that the strategy compares. `approvals`: the shops' approval rates. `margin`: the rate times the share of
             *     the amount that is left after the shop's fee; an unknown fee counts as 0. If omitted: `approvals`.
             * @example margin
             */
            objective?: components["schemas"]["SuccessRateObjective"];
            /**
             * @description One or two fields that divide payments into segments. In each segment the shops are compared by their approval rates
             *     there. Where a segment has few outcomes, the rate of the first field decides, then that of the whole shop. If omitted:
             *     the rate of the whole shop.
             * @example [
             *       "card.scheme"
             *     ]
             */
            by?: components["schemas"]["SegmentField"][];
        };
        /** @enum {string} */
        SuccessRateObjective: "approvals" | "margin";
        SuccessRateReasoning: {
            /**
             * @description The strategy that decided. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            by: "success_rate";
            /**
             * Format: double
             * @description The only random number of the decision, 0 ≤ draw < 1.
             */
            draw: number;
            /**
             * Format: double
             * @description The share of payments that each shop gets regardless of its rate.
             */
            floor: number;
            /** @description Whether the shop was picked for its minimum share. */
            explored: boolean;
            /** @description Shop id, approved, declined, failed, and the sampled rate; highest rate first. For a token whose account is not named, declined includes payments whose payment method the account lacks. With the objective margin also the fee, null if unknown, and the highest margin first. Includes recovering shops that were passed over. */
            sampled: (number | null)[][];
            /** @description Only in a flow that divides payments into segments. */
            segment?: {
                /** @description The payment's value of each field; null: unknown, so coarser rates decide. */
                values: {
                    [key: string]: string | null;
                };
                /** @description For each shop of sampled: shop id, level, approved and other outcomes at this level, and a and b of the Beta distribution that the rate was sampled from. The level is the number of fields whose own outcomes count for more than the coarser rate; 0: the whole shop. Older outcomes count for less. */
                rates: number[][];
            };
        };
        TestEndpoint: {
            /**
             * @description The type of the sample. If absent: the first type that the endpoint chose.
             * @example payment.status_changed
             */
            event_type?: components["schemas"]["EventType"];
        };
        /** @enum {string} */
        TestResult: "passed" | "failed";
        TestWebhook: {
            /**
             * Format: uri
             * @description An absolute http(s) URL of at most 2048 characters.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string;
        };
        ToDo: {
            /**
             * Format: date-time
             * @description The time of the data; at most two seconds ago.
             * @example 2026-11-21T01:02:03.456Z
             */
            at: string;
            /** @description By deadline: overdue, without a deadline, due later. Empty: nothing waits. */
            lines: components["schemas"]["ToDoLine"][];
            /** @description Kinds that the caller may not see. */
            left_out: components["schemas"]["LeftOut"][];
        };
        ToDoAmount: {
            /**
             * Format: double
             * @description In the major unit of the currency.
             * @example 1249.5
             */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
        };
        ToDoFlow: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 2
             */
            id: number;
            /**
             * @description The name of it.
             * @example checkout
             */
            name: string;
            /**
             * Format: int64
             * @description The version that waits for an approval.
             * @example 5
             */
            version: number;
        };
        /** @enum {string} */
        ToDoKind: "evidence_overdue" | "evidence_due" | "lapses_in_24_hours" | "lapses_in_3_days" | "operations_to_settle" | "alarms" | "shop_down" | "approvals_fell" | "endpoints_failing" | "approval_waiting";
        ToDoLine: {
            /**
             * @description `evidence_overdue`, `evidence_due`: open disputes whose evidence is overdue, or due within seven days. `lapses_in_24_hours`,
             *     `lapses_in_3_days`: authorised payments that lapse within a day, or within the two days after, without a capture.
             *     `operations_to_settle`: only a person can find their outcome. `alarms`: notifications of providers that need a person.
             *     `shop_down`: a shop whose payments fail by its own fault. `approvals_fell`: a shop approves fewer payments of a card scheme, beyond
             *     chance. `endpoints_failing`: endpoints that have received nothing for five minutes. `approval_waiting`: a version of a flow that you may
             *     approve.
             * @example lapses_in_24_hours
             */
            kind: components["schemas"]["ToDoKind"];
            /**
             * Format: int64
             * @description Counted up to 10,000.
             * @example 12
             */
            count: number;
            /**
             * Format: date-time
             * @description Since when the oldest waits; `null`: it has only a deadline.
             */
            since: string | null;
            /**
             * @description The earliest deadline; `null`: none.
             * @example 2026-11-21T18:00:00.000Z
             */
            until: string | null;
            /** @description The money at stake, by currency; empty: none. */
            amounts: components["schemas"]["ToDoAmount"][];
            /** @description The shop that it is about; `null`: several, or none. */
            shop: components["schemas"]["ToDoShop"] | null;
            /** @description Only of `approvals_fell`. */
            approvals: components["schemas"]["FallenRate"] | null;
            /** @description Only of `approval_waiting`. */
            flow: components["schemas"]["ToDoFlow"] | null;
            link: components["schemas"]["ConsoleLink"];
        };
        ToDoResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ToDo"];
        };
        ToDoShop: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 3
             */
            id: number;
            /**
             * @description The name of it.
             * @example Berlin
             */
            name: string;
        };
        TokenError: {
            /** @example invalid_client */
            error: components["schemas"]["TokenErrorCode"];
            /**
             * @description A description for people.
             * @example the client is unknown or revoked, or its secret is wrong
             */
            error_description: string;
        };
        /** @enum {string} */
        TokenErrorCode: "too_many_requests" | "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
        TokenRequest: {
            /**
             * @description The only supported grant type.
             * @example client_credentials
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description Required with `client_secret`; omit both only if the credentials are sent with HTTP Basic. */
            client_id?: string;
            /** @description Omit it if the credentials are sent with HTTP Basic: they are accepted in one place only. */
            client_secret?: string;
            /** @description Space-separated, such as `shops:read flows:write payments:write`; default: all scopes of the client. */
            scope?: string;
        };
        TokenResponse: {
            /**
             * @description A JWT, to be sent as `Authorization: Bearer …`.
             * @example eyJhbGciOiJIUzI1NiIs…
             */
            access_token: string;
            /**
             * @description Always `Bearer`.
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * Format: int64
             * @description Seconds.
             * @example 3600
             */
            expires_in: number;
            /**
             * @description The scopes of the token, space-separated.
             * @example shops:read shops:write flows:read flows:write payments:read payments:write
             */
            scope: string;
        };
        /** @enum {string} */
        UniqueField: "payment_session_id";
        UpdateClient: {
            /**
             * @description The name of it.
             * @example Ada Lovelace
             */
            name?: string;
            /** @example person */
            kind?: components["schemas"]["ClientKind"];
            /** @example support */
            role?: components["schemas"]["ClientRole"];
            /**
             * @description Only with the role `custom`.
             * @example [
             *       "payments:read"
             *     ]
             */
            scopes?: components["schemas"]["Scope"][];
        };
        UpdateEndpoint: {
            /**
             * Format: uri
             * @description An absolute http(s) URL of at most 2048 characters. Pending deliveries go to the new address, too. For another origin, give present `headers` and `auth` again, or `null`.
             * @example https://merchant.example/webhooks
             */
            url?: string;
            /**
             * @description `null` removes it.
             * @example Order service
             */
            description?: string | null;
            /**
             * @description Only events of these shops. `null`: of all shops, also of later ones, and events of no shop.
             * @example [
             *       1
             *     ]
             */
            shop_ids?: number[] | null;
            /**
             * @description Only these types of events; `GET /webhooks/event-types` lists all.
             * @example [
             *       "payment.status_changed"
             *     ]
             */
            event_types?: components["schemas"]["EventType"][];
            /**
             * @description `json`: the body of the event. `slack`: a message for a chat, without a signature that can be verified there.
             * @example json
             */
            format?: components["schemas"]["EndpointFormat"];
            /**
             * @description Additional headers of every request, by name: at most 20, none that the service sets. Their values are never returned. They replace all; `null` removes all.
             * @example {
             *       "X-Environment": "test"
             *     }
             */
            headers?: {
                [key: string]: string;
            } | null;
            /**
             * Format: int64
             * @description Requests per second that the endpoint gets at most. `null`: no limit of its own.
             * @example 50
             */
            max_per_second?: number | null;
            /** @description Replaces the present one; `null` removes it. */
            auth?: components["schemas"]["EndpointAuth"] | null;
            /**
             * @description Whether deliveries that failed for good are sent again, oldest first, when the endpoint recovers.
             * @example true
             */
            redeliver_on_recovery?: boolean;
        };
        UpdateFlow: {
            /**
             * @description How the flow chooses among the shops that may take a payment. `round_robin`: one shop after the other. `weighted`:
             *     each gets exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the shop with the
             *     lowest number; shops with equal numbers alternate. `sticky`: the same customer goes to the same shop, by weight;
             *     payments without a customer as `weighted`. `success_rate`: by recent approval rates. `lowest_cost`: the shop with the
             *     lowest fee for the payment; among equal fees by priority, shops without a known fee last. `rules`: the first of
             *     `rules` that matches and has a shop for the payment, declines or refuses it, otherwise `default`.
             * @example round_robin
             */
            strategy?: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The maximum number of shops that a payment is tried with, including the first; default 1: no failover.
             * @example 3
             */
            max_attempts?: number;
            /**
             * @description When payments are captured whose request has no `capture`: with the charge, or by `POST /payments/{id}/capture`. If
             *     omitted: `automatic`.
             * @example automatic
             */
            capture?: components["schemas"]["CaptureMode"];
            /** @description 1 to 300 shops, without duplicates. */
            shops?: components["schemas"]["FlowShop"][];
            /** @description For the strategy `rules`: at most 100, tried in order. */
            rules?: components["schemas"]["Rule"][];
            /** @description For the strategy `rules`, which requires it: the shops for payments that no rule has a shop for, declines or refuses. */
            default?: components["schemas"]["RuleUse"];
            /** @description Options of the strategy `success_rate`; refused with other strategies. */
            success_rate?: components["schemas"]["SuccessRate"];
            /**
             * @description At most 50; a version that breaks one of them is not activated. Assertions are checked for the flow only: shops
             *     that are disabled as a whole or unhealthy do not matter.
             */
            assertions?: components["schemas"]["Assertion"][];
            /**
             * @description Unique among the merchant's flows.
             * @example checkout
             */
            name?: string;
            /**
             * Format: int64
             * @description The version that the change is based on. If another version is active by now, the change is refused (`flow_changed`). If omitted, the change is based on the active version.
             * @example 1
             */
            based_on_version?: number;
            /**
             * @description Why the flow is changed; shown with the new version and in the audit log.
             * @example Berlin costs less
             */
            reason?: string;
        };
        UpdatePayment: {
            /**
             * @description Free-form, at most 16 KiB as JSON; replaces all of the metadata.
             * @example {
             *       "order_id": "A-1001"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
        };
        UpdateShop: {
            /**
             * @description Unique among the merchant's shops.
             * @example Main shop
             */
            name?: string;
            /**
             * Format: int64
             * @description How long notifications are verified with the earlier secrets of `provider_credentials`, too; 0: not at all, and earlier overlaps end. The last five overlap, each for its own time. Default: `86400`.
             * @example 86400
             */
            credentials_overlap_seconds?: number;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Merged by key into the shop's credentials; `null` removes a key.
             * @example {
             *       "notification_secret": "a-secret-for-notifications"
             *     }
             */
            provider_credentials?: {
                [key: string]: unknown;
            };
            /**
             * @description The label of the shop's account at its provider; it changes for all shops of the account.
             * @example eu
             */
            provider_account?: string;
            /**
             * @description How webhooks are signed. `public_key`: `webhook-signature` also carries `v1a`, an ed25519 signature that receivers verify with the shop's public keys (`GET /shops/{id}/jwks.json`); `Signature` and `v1` stay. `shared_secret`: only `Signature` and `v1`.
             * @example public_key
             */
            webhook_signing?: components["schemas"]["WebhookSigning"];
            /** @description The provider's fees; replaces the whole list, `[]` removes it. At most 50, each for other payments. */
            fees?: components["schemas"]["Fee"][];
        };
        WaitingNotification: {
            /**
             * Format: int64
             * @description The id of it.
             * @example 815
             */
            id: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 3
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            /**
             * @description The name of the payment provider.
             * @example sandbox
             */
            provider: string;
            /**
             * @description The id of the notification.
             * @example evt_1
             */
            notification_id: string;
            /**
             * @description The provider's id of the payment.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /**
             * Format: int64
             * @description `null` while the shop has no payment for it.
             */
            payment_id: number | null;
            /**
             * @description The reason why it cannot be applied yet.
             * @example unknown_payment
             */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was received.
             * @example 2026-11-22T01:02:03.456Z
             */
            received_at: string;
        };
        /** @description Optional fields are present only if they are known. */
        WebhookCustomer: {
            /**
             * Format: int64
             * @description The id of it.
             */
            id: number;
            /** @description The e-mail address. */
            email: string | null;
            /** @description The telephone number. */
            phone?: string;
            /** @description The first name. */
            first_name: string | null;
            /** @description The last name. */
            last_name: string | null;
            /** @description The whole name, if it is not the two names together. */
            full_name?: string;
            /** @description Street and number. */
            address?: string;
            /** @description The city of the address. */
            city?: string;
            /** @description The region or state of the address. */
            region?: string;
            /** @description The postal code of the address. */
            postal_code?: string;
            /** @description ISO 3166-1 alpha-2. */
            country_code?: string;
            /**
             * Format: date
             * @description YYYY-MM-DD.
             */
            date_of_birth?: string;
            /** @description In your own words. */
            gender?: string;
            /** @description The company of the customer. */
            company?: string;
            /** @description The VAT number. */
            vat_number?: string;
        };
        WebhookEvent: {
            /** @description The id of the event, as in `GET /events`. Absent from changes before an upgrade. */
            id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            event: "payment.status_changed";
            /** @description Always `true`. Present only in a requested sample, which has no payment. */
            test?: boolean;
            /**
             * Format: date-time
             * @description When the status changed.
             */
            timestamp: string;
            payment: components["schemas"]["WebhookPayment"];
            /** @description `null` for a payment without a customer. */
            customer: components["schemas"]["WebhookCustomer"] | null;
            shop: components["schemas"]["ShopReference"];
            /** @description As given with the payment. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The provider's own data; may be empty. */
            provider_metadata?: {
                [key: string]: unknown;
            };
            original_webhook?: components["schemas"]["OriginalWebhook"];
        };
        WebhookKey: {
            /**
             * @description The type of the key.
             * @enum {string}
             */
            kty: "OKP";
            /**
             * @description The curve of the key.
             * @enum {string}
             */
            crv: "Ed25519";
            /**
             * @description The 32 bytes of the key, base64url.
             * @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
             */
            x: string;
            /**
             * @description The key's thumbprint (RFC 7638). Signatures do not name it: try all keys.
             * @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k
             */
            kid: string;
            /**
             * @description The algorithm of the key.
             * @enum {string}
             */
            alg: "EdDSA";
            /**
             * @description What the key is for.
             * @enum {string}
             */
            use: "sig";
        };
        WebhookKeyRotation: {
            /**
             * Format: int64
             * @description How long webhooks have a signature of the old key, too; 0: not at all. Default: `86400`.
             * @example 86400
             */
            overlap_seconds?: number;
        };
        WebhookKeySet: {
            /** @description The public keys. */
            keys: components["schemas"]["WebhookKey"][];
        };
        WebhookKeySetResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["WebhookKeySet"];
        };
        /** @description The payment after the change. All its changes have the same `id`. Use the header `webhook-id` to drop duplicates, and `timestamp` to keep the newest change. */
        WebhookPayment: {
            /**
             * Format: int64
             * @description The id of it.
             */
            id: number;
            /** @description The merchant's id of the session. */
            payment_session_id: string;
            /** @description The provider's id of the payment. */
            provider_transaction_id: string | null;
            /**
             * Format: double
             * @description In the major unit of the currency.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            status: components["schemas"]["PaymentStatus"];
            /** @description ISO 3166-1 alpha-2. */
            country: string | null;
            /** @description The provider of its shop. */
            payment_provider: string;
            /**
             * Format: int64
             * @description The id of the flow.
             */
            flow_id: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ends, if it is still pending.
             */
            expires_at: string;
            /**
             * Format: double
             * @description The amount that the provider holds or has charged.
             */
            amount_authorized: number;
            /**
             * Format: double
             * @description The charged amount.
             */
            amount_captured: number;
            /**
             * Format: double
             * @description The amount of refunds that are pending or have succeeded.
             */
            amount_refunded: number;
        };
        WebhookRotation: {
            /**
             * @description When the latest webhook secret begins to sign; until then the previous one signs. `null`: it signs already.
             * @example 2026-11-21T02:02:03.456Z
             */
            secret_active_from: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs, too; `null`: it does not sign.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description Until when the previous ed25519 key signs, too; `null`: it does not sign.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_key_expires_at: string | null;
        };
        /** @enum {string} */
        WebhookSigning: "shared_secret" | "public_key";
        WebhookStats: {
            /**
             * Format: double
             * @description Percentage with two decimals; 0 without payments.
             * @example 94.96
             */
            webhook_coverage_percentage: number;
            /**
             * Format: int64
             * @description The id of the shop.
             * @example 5
             */
            shop_id: number;
            /**
             * @description The name of the shop.
             * @example Main shop
             */
            shop_name: string;
            /**
             * Format: int64
             * @description The number of all payments.
             * @example 1250
             */
            total_payments: number;
            /**
             * Format: int64
             * @description The number of payments with a webhook address.
             * @example 1187
             */
            payments_with_webhooks: number;
            /** @description The latest 20 deliveries, newest first. */
            recent_webhooks: components["schemas"]["Delivery"][];
            /**
             * @description The key of the header `Signature`; `null` for a token without the scope `webhooks:secrets`.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret: string | null;
        };
        WebhookStatsResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["WebhookStats"];
        };
        WebhookTestResult: {
            /** @description Why there was no answer, such as `timeout`, `connect_failed` or `forbidden_address` (the tag webhooks lists all codes); `null` if there was one. */
            error: components["schemas"]["DeliveryError"] | null;
            /**
             * @description The exact body that was sent.
             * @example {"event":"payment.status_changed"}
             */
            request_body: string;
            /** @description Whether the receiver answered with 2xx in time. */
            delivered: boolean;
            /**
             * Format: int64
             * @description Status code of the receiver's answer; `null` if there was none.
             * @example 200
             */
            status_code: number | null;
            /**
             * Format: int64
             * @description How long it took, in milliseconds.
             * @example 42
             */
            duration_ms: number;
            /**
             * @description A sentence about `error`, such as the token endpoint's status and error of `auth_failed`; `null`: nothing more is known.
             * @example the token endpoint answered 401 (invalid_client)
             */
            error_message: string | null;
            /**
             * @description The `Signature` header that was sent.
             * @example 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843
             */
            signature: string;
            /**
             * @description The first 4 KiB of the answer; `null` if there was none.
             * @example ok
             */
            response_body: string | null;
        };
        WebhookTestResultResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["WebhookTestResult"];
        };
        WebhookToVerify: {
            /**
             * Format: int64
             * @description The shop of the webhook. Optional if a standing endpoint sent it.
             * @example 1
             */
            shop_id?: number;
            /**
             * Format: int64
             * @description The standing endpoint that sent it. If absent: the one that `webhook-endpoint-id` in `headers` names.
             */
            endpoint_id?: number;
            /**
             * Format: uri
             * @description The address of the webhook, if several addresses get the webhooks of the payment.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
            /**
             * @description The body as the receiver got it.
             * @example {event:payment.status_changed}
             */
            body: string;
            /**
             * @description The headers as the receiver got them. Names may have any case; other headers are ignored.
             * @example {
             *       "Signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
             *     }
             */
            headers: {
                [key: string]: unknown;
            };
        };
        WebhookVerification: {
            /**
             * @description `null` if the webhook is valid.
             * @example reserialized_body
             */
            reason: components["schemas"]["SignatureFault"] | null;
            /**
             * @description Whether a receiver should accept the webhook.
             * @example false
             */
            valid: boolean;
            /**
             * @description What to change in the receiver.
             * @example The body was parsed and serialized again. Verify the received bytes before a JSON parser changes them.
             */
            advice: string | null;
        };
        WebhookVerificationResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["WebhookVerification"];
        };
        WeightedReasoning: {
            /**
             * @description The strategy that decided. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            by: "weighted";
            /**
             * Format: int64
             * @description The number of payments that the flow had routed before.
             */
            counter: number;
            /**
             * Format: int64
             * @description The position in a cycle, in which each shop is picked as often as its weight.
             */
            cycle_position: number;
            /**
             * Format: int64
             * @description The sum of the weights.
             */
            cycle_length: number;
        };
        WithdrawApprovalRequest: {
            /**
             * @description Shown with the proposal and in the audit log.
             * @example The contract changes
             */
            reason?: string;
        };
    };
    responses: {
        /** @description The request path is too long (`uri_too_long`) */
        uri_too_long: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request headers are too large (`headers_too_large`) */
        headers_too_large: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A valid bearer token is required (`unauthorized`) */
        unauthorized: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token lacks a required scope (`insufficient_scope`) */
        insufficient_scope: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request path, query or headers are malformed (`malformed_request`) */
        malformed_request: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests (`too_many_requests`) */
        too_many_requests: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal error (`internal_error`) */
        internal_error: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A dependency of the service is down (`dependency_unavailable`) */
        dependency_unavailable: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request path, query or headers are malformed (`malformed_request`); The request body is not valid JSON (`malformed_json`) */
        malformed_request_or_malformed_json: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request body is too large (`payload_too_large`) */
        payload_too_large: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request body must be application/json (`unsupported_media_type`) */
        unsupported_media_type: {
            headers: {
                /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                "X-Request-Id"?: string;
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before the next try. */
        RetryAfter: number;
        /** @description The missing credentials (RFC 6750): a token, a valid token, or the named scopes. */
        WWWAuthenticate: string;
        /** @description The limit of this client: the number of requests, and the seconds until all of them are available again. */
        RateLimitPolicy: string;
        /** @description The number of requests that the client may send at once. Like the related headers, only on answers to a valid token. */
        RateLimitLimit: number;
        /** @description The number of requests that are left. */
        RateLimitRemaining: number;
        /** @description Seconds until all requests are available again. */
        RateLimitReset: number;
    };
    pathItems: {
        "payment.status_changed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A payment changes its status, also without a `webhook_endpoint`
             * @description To the `webhook_endpoint` of the payment and to the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["payment_status_changed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "payment.amounts_changed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * The authorized or refunded amount of a payment changes, and its status stays
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["payment_amounts_changed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "payment.late_charge": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A provider charged a payment that has ended or moved to another shop; the service refunds the charge
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["payment_late_charge"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "capture.failed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A requested capture has failed
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["capture_failed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "authorization.lapsing": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * An authorisation that was not captured lapses within a day
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["authorization_lapsing"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "refund.created": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A refund is requested, or was made at the provider
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["refund_created"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "refund.updated": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A refund has succeeded or failed
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["refund_updated"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "dispute.opened": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A payer disputes a payment, or a closed dispute goes on
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["dispute_opened"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "dispute.updated": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A dispute has changed otherwise
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["dispute_updated"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "dispute.due": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * Evidence for an open dispute is due within two days
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["dispute_due"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "dispute.closed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A dispute is won, lost or accepted; again for another end
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["dispute_closed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "operation.stuck": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A charge, capture, void or refund has had no known outcome for 15 minutes, or the service has stopped to ask
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["operation_stuck"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "shop.down": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * Too many payments of a shop fail by its own fault; it gets no payments for now
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["shop_down"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "shop.up": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A shop that was down has completed a payment again
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["shop_up"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "approvals.fell": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A shop approves fewer payments of a card scheme than the day before, beyond chance
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["approvals_fell"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "delivery.failed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A webhook has failed for good
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["delivery_failed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "endpoint.failing": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * No webhook to an endpoint got a 2xx for five minutes, after a second failure
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["endpoint_failing"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "endpoint.recovered": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * The endpoint answers with a 2xx again
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["endpoint_recovered"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "endpoint.disabled": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A standing endpoint answered 410, or had no success for days; it gets no webhooks until it is resumed
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["endpoint_disabled"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "approval.requested": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A client asks colleagues to approve a version of a flow
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["approval_requested"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "flow.activated": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A version of a flow becomes active, also the first one
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["flow_activated"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "flow.rolled_back": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * An earlier version of a flow, which was active before, becomes active again, or a rollout is aborted
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["flow_rolled_back"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "flow.renamed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A flow gets another name, by which payments name it
             * @description To the standing endpoints that chose the type. Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.
             */
            post: operations["flow_renamed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
    };
}
export interface operations {
    Health_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    Health_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The database is down, or the process is shutting down */
            503: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    Metrics_render: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
            /** @description `METRICS_TOKEN` is set, and the request does not have it */
            401: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    Clients_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Clients_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClient"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOAuthClientResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Clients_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the OAuth client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such API client (`client_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Clients_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the OAuth client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such API client (`client_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No other client could give rights after that (`last_owner`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Clients_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the OAuth client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateClient"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such API client (`client_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No other client could give rights after that (`last_owner`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Clients_rotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the OAuth client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 0
                 *     }
                 */
                "application/json": components["schemas"]["RotateClientSecret"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedClientSecretResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such API client (`client_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Audit_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description Entries at this time or later. Example: `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description Entries before this time. Example: `2026-11-22T00:00:00Z`. */
                to?: string;
                /** @description Example: `shop.webhook_secret_rotated`. */
                action?: "alarm.acknowledged" | "charge.given_back" | "client.created" | "client.revoked" | "client.secret_rotated" | "client.updated" | "customer.erased" | "deliveries.redelivered" | "deliveries.replayed" | "delivery.retried" | "endpoint.conformance_run" | "endpoint.created" | "endpoint.deleted" | "endpoint.disabled" | "endpoint.paused" | "endpoint.resumed" | "endpoint.secret_rotated" | "endpoint.tested" | "endpoint.updated" | "flow.approval_requested" | "flow.approval_withdrawn" | "flow.created" | "flow.deleted" | "flow.rollout_aborted" | "flow.rollout_changed" | "flow.rollout_promoted" | "flow.rollout_started" | "flow.updated" | "flow.version_activated" | "flow.version_approved" | "flow.version_commented" | "flow.version_drafted" | "flow.version_rejected" | "operation.settled" | "operation.settlement_requested" | "payment.cancel_requested" | "payment.capture_requested" | "payment.refund_requested" | "payment.updated" | "payment_method.removed" | "payment_method.saved" | "shop.created" | "shop.credentials_checked" | "shop.updated" | "shop.webhook_key_rotated" | "shop.webhook_secret_rotated" | "webhook.conformance_run" | "webhook.tested";
                /** @description Example: `shop`. */
                object_type?: "client" | "customer" | "delivery" | "endpoint" | "flow" | "merchant" | "notification" | "payment" | "shop";
                /** @description Example: `3`. */
                object_id?: string;
                /** @description Example: `client`. */
                actor?: "cli" | "client" | "system";
                /** @description Example: `client_0c8c1d1e6f0a`. */
                client_id?: string;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Token_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The request path, query or headers are malformed (`malformed_request`) */
            400: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            401: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Token_jwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            400: components["responses"]["malformed_request"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Events_list: {
        parameters: {
            query?: {
                /** @description Without `after`: start with this number of latest events, all of them on the page unless `limit` is less; 0: only new events. Example: `10`. */
                last?: number;
                /** @description Only events of this shop. Example: `3`. */
                shop_id?: number;
                /** @description The maximum number of events on a page, by default 20 or, if that is more, `last`; ignored for a stream. Example: `20`. */
                limit?: number;
                /** @description The event to start after: `pagination.next_cursor` of a page, or the `id` of a streamed event. */
                after?: string;
                /** @description Only events of these types, separated by commas. Example: `payment.status_changed,delivery.failed`. */
                types?: string;
            };
            header?: {
                /** @description The `id` of the last event that the reader received. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, or a stream if the request accepts `text/event-stream` */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": string;
                };
            };
            /** @description The request path, query or headers are malformed (`malformed_request`) */
            400: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Flows_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
                /** @description Only objects whose name contains this text; upper and lower case count as the same. Example: `checkout`. */
                name_contains?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Flows_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFlow"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description The merchant already has a flow with that name (`flow_name_taken`); The merchant has reached its limit of flows (`flow_limit_reached`); The flow violates one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description An assertion of the flow takes too long to check (`flow_assertions_too_complex`); The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Flows_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Flows_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The flow still has open payments (`flow_has_open_payments`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Flows_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateFlow"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Another version of the flow is active now (`flow_changed`); A rollout of the flow is running (`flow_rollout_running`); Another client must approve the version first (`flow_approval_required`); The merchant already has a flow with that name (`flow_name_taken`); The flow violates one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description An assertion of the flow takes too long to check (`flow_assertions_too_complex`); The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowSimulation_simulate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateFlow"];
            };
        };
        responses: {
            /** @description The decision; a bare boolean when `simple` is true */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowVersions_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowVersions_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowDefinition"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowVersions_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowVersions_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveVersion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The author of a version cannot approve it (`flow_own_version`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowVersions_activate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ActivateVersion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Another version of the flow is active now (`flow_changed`); A rollout of the flow is running (`flow_rollout_running`); Another client must approve the version first (`flow_approval_required`); The flow violates one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description An assertion of the flow takes too long to check (`flow_assertions_too_complex`); The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowBacktest_backtest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayFlow"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResultResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowReplay_replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayFlow"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResultResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    FlowRules_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRulesResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_start: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRollout"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The version is active for all payments already (`flow_version_active`); Another version of the flow is active now (`flow_changed`); A rollout of the flow is running (`flow_rollout_running`); Another client must approve the version first (`flow_approval_required`); The flow violates one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description An assertion of the flow takes too long to check (`flow_assertions_too_complex`); The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The id of the rollout. */
                rolloutId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparedRolloutResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such rollout of the flow (`flow_rollout_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The id of the rollout. */
                rolloutId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRollout"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such rollout of the flow (`flow_rollout_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rollout has ended (`flow_rollout_ended`); The rollout has reached its limit of stages (`flow_rollout_stages_reached`); Another client must approve the version first (`flow_approval_required`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_overTime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The id of the rollout. */
                rolloutId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutCourseResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such rollout of the flow (`flow_rollout_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_promote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The id of the rollout. */
                rolloutId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndRollout"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such rollout of the flow (`flow_rollout_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rollout has ended (`flow_rollout_ended`); Another client must approve the version first (`flow_approval_required`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Rollouts_abort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The id of the rollout. */
                rolloutId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndRollout"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such rollout of the flow (`flow_rollout_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rollout has ended (`flow_rollout_ended`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Proposals_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description The state of the last request for an approval. */
                state?: "approved" | "rejected" | "waiting" | "withdrawn";
                /** @description `me`: without your own versions, and without those for which only others are asked. */
                for?: "me";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Proposals_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RequestApproval"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The version needs no request: it is approved, or was active (`flow_version_not_proposed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Proposals_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawApprovalRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No request for an approval of the version waits (`flow_approval_not_open`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Proposals_reject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectVersion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The author of a version cannot approve it (`flow_own_version`); No request for an approval of the version waits (`flow_approval_not_open`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Proposals_comments: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionCommentPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Proposals_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the flow. */
                id: number;
                /** @description The version of the flow. */
                version: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentVersion"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowVersionCommentResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such version of the flow (`flow_version_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Insights_overview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Insights_openWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenWorkResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Approvals_read: {
        parameters: {
            query?: {
                /** @description The first hour has this time; more than 48 hours ago, the first day in UTC has it. Default: 24 hours in all. Example: `2026-11-24T00:00:00Z`. */
                from?: string;
                /** @description The last hour ends at this time or contains it; more than 48 hours ago, the last day in UTC does; at most 35 days after `from`. A later time than now, and the default, is now. Example: `2026-11-25T00:00:00Z`. */
                to?: string;
                /** @description Example: `3`. */
                shop_id?: number;
                /**
                 * @description One or two of `currency`, `country`, `card.scheme`, `card.funding`, `card.issuer_country`, `card.bin`, separated by a
                 *     comma. Default: one cell per shop. Example: `card.scheme,country`.
                 */
                by?: string;
                /** @description `attempts`: most attempts first. `change`: those first whose rate fell most surely since the period before. */
                order?: "attempts" | "change";
                /** @description Example: `EUR`. */
                currency?: string;
                /** @description The payer's country. Empty: unknown. Example: `DE`. */
                country?: string;
                /** @description Empty: unknown. Example: `visa`. */
                "card.scheme"?: string;
                /** @description Empty: unknown. Example: `credit`. */
                "card.funding"?: "" | "charge" | "credit" | "debit" | "prepaid" | "unknown";
                /** @description Empty: unknown. Example: `FR`. */
                "card.issuer_country"?: string;
                /** @description The first six digits. Empty: unknown. Example: `411111`. */
                "card.bin"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentApprovalsResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Approvals_overTime: {
        parameters: {
            query?: {
                /** @description The first hour has this time; more than 48 hours ago, the first day in UTC has it. Default: 24 hours in all. Example: `2026-11-24T00:00:00Z`. */
                from?: string;
                /** @description The last hour ends at this time or contains it; more than 48 hours ago, the last day in UTC does; at most 35 days after `from`. A later time than now, and the default, is now. Example: `2026-11-25T00:00:00Z`. */
                to?: string;
                /** @description Example: `3`. */
                shop_id?: number;
                /** @description Example: `EUR`. */
                currency?: string;
                /** @description The payer's country. Empty: unknown. Example: `DE`. */
                country?: string;
                /** @description Empty: unknown. Example: `visa`. */
                "card.scheme"?: string;
                /** @description Empty: unknown. Example: `credit`. */
                "card.funding"?: "" | "charge" | "credit" | "debit" | "prepaid" | "unknown";
                /** @description Empty: unknown. Example: `FR`. */
                "card.issuer_country"?: string;
                /** @description The first six digits. Empty: unknown. Example: `411111`. */
                "card.bin"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalsOverTimeResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Approvals_list: {
        parameters: {
            query?: {
                /** @description The first hour has this time; more than 48 hours ago, the first day in UTC has it. Default: 24 hours in all. Example: `2026-11-24T00:00:00Z`. */
                from?: string;
                /** @description The last hour ends at this time or contains it; more than 48 hours ago, the last day in UTC does; at most 35 days after `from`. A later time than now, and the default, is now. Example: `2026-11-25T00:00:00Z`. */
                to?: string;
                /** @description Example: `3`. */
                shop_id?: number;
                /** @description Payments per page, at most. */
                limit?: number;
                /** @description As counted in a cell. */
                outcome?: "approved" | "declined" | "failed" | "pending";
                /** @description Example: `insufficient_funds`. */
                decline_code?: string;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
                /** @description Example: `EUR`. */
                currency?: string;
                /** @description The payer's country. Empty: unknown. Example: `DE`. */
                country?: string;
                /** @description Empty: unknown. Example: `visa`. */
                "card.scheme"?: string;
                /** @description Empty: unknown. Example: `credit`. */
                "card.funding"?: "" | "charge" | "credit" | "debit" | "prepaid" | "unknown";
                /** @description Empty: unknown. Example: `FR`. */
                "card.issuer_country"?: string;
                /** @description The first six digits. Empty: unknown. Example: `411111`. */
                "card.bin"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPaymentPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    ToDo_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToDoResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description One or more statuses, separated by commas. Example: `completed,refunded`. */
                status?: string;
                /** @description The id of the flow. */
                flow_id?: number;
                /** @description The id of the shop. */
                shop_id?: number;
                /** @description Example: `7`. */
                customer_id?: number;
                /**
                 * @description Top-level keys of the metadata with their values, as JSON such as `{"order_id":"A-1001"}`, or as `metadata[order_id]=A-1001`.
                 *     All of them must match. Finds texts, numbers and booleans of at most 128 characters, the first ten of a payment.
                 */
                metadata?: string;
                /**
                 * @description A part that a person knows: the beginning of a value of the metadata, such as an order number; a part of the customer's
                 *     name, e-mail address or reference; an amount, as `49.90` or `49,90 EUR`; or the last four digits of the card. Example: `A-10`.
                 */
                search?: string;
                /** @description Payments created at this time or later. Example: `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description Payments created before this time. Example: `2026-11-21T06:00:00Z`. */
                to?: string;
                /** @description Payments changed at this time or later. With `from`, only payments created since then are looked at. Example: `2026-11-21T00:00:00Z`. */
                updated_from?: string;
                /** @description Authorised payments that lapse at this time or later without a capture; those that lapse first come first. Example: `2026-11-21T00:00:00Z`. */
                lapses_from?: string;
                /** @description The same for payments that lapse before this time. Example: `2026-11-22T00:00:00Z`. */
                lapses_before?: string;
                /** @description Finds a payment whose answer was lost. Example: `ps_4711`. */
                payment_session_id?: string;
                /** @description The provider's id of the payment, or of an earlier attempt at another shop. Unique within a shop, not among shops. Example: `sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11`. */
                provider_transaction_id?: string;
                /** @description Your own id of the customer. Example: `user-4711`. */
                customer_reference?: string;
                /**
                 * @description The customer's present address; upper and lower case count as the same. Finds payments of the five hundred newest customers
                 *     with it. Example: `ada@example.com`.
                 */
                customer_email?: string;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters, kept for 7 days by default for all clients of the merchant. A repeat gets the first answer, with the header Idempotent-Replayed: true. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayment"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true`: this is the answer to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such flow (`flow_not_found`); No such customer (`customer_not_found`); The customer has no such payment method (`payment_method_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The customer was erased (`customer_erased`); No shop of the flow accepts this payment (`no_available_shop`); The payment session has a payment already (`payment_session_used`); A request with this idempotency key is still in progress (`idempotency_key_in_flight`): send the same request with the same key again after `Retry-After` seconds, until the answer is different. A key is held while its request is processed. If the process dies, the key is held for 20 seconds (10 more than `PROVIDER_TIMEOUT_MS`) after the latest call of a provider: retry for a minute, then query `GET /payments?payment_session_id=` */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    PaymentMetadata_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePayment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The customer was erased (`customer_erased`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusChangeListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_attempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAttemptListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_operations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentOperationListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_decision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success; `null` if none was stored with the payment */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDecisionResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_sync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters, kept for 7 days by default for all clients of the merchant. A repeat gets the first answer, with the header Idempotent-Replayed: true. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true`: this is the answer to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The payment cannot change to that status (`illegal_status_change`); The provider did not confirm the change (`provider_unconfirmed`); A request with this idempotency key is still in progress (`idempotency_key_in_flight`): send the same request with the same key again after `Retry-After` seconds, until the answer is different. A key is held while its request is processed. If the process dies, the key is held for 20 seconds (10 more than `PROVIDER_TIMEOUT_MS`) after the latest call of a provider: retry for a minute, then query `GET /payments?payment_session_id=` */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Captures_capture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters, kept for 7 days by default for all clients of the merchant. A repeat gets the first answer, with the header Idempotent-Replayed: true. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": 30
                 *     }
                 */
                "application/json": components["schemas"]["CapturePayment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true`: this is the answer to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The payment cannot change to that status (`illegal_status_change`); The payment was captured with another amount (`capture_already_made`); The provider did not confirm the change (`provider_unconfirmed`); A request with this idempotency key is still in progress (`idempotency_key_in_flight`): send the same request with the same key again after `Retry-After` seconds, until the answer is different. A key is held while its request is processed. If the process dies, the key is held for 20 seconds (10 more than `PROVIDER_TIMEOUT_MS`) after the latest call of a provider: retry for a minute, then query `GET /payments?payment_session_id=` */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    NextActions_complete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "result": "approved"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CompleteNextAction"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The payment waits for no step in your page (`no_next_action`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Settlements_settle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
                /** @description The id of the operation. */
                operationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleOperation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentOperationResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`); No such operation of the payment (`operation_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operation has its outcome already (`operation_closed`); The operation is being tried now (`operation_under_way`); The outcome contradicts the report of the provider (`settle_contradicts_provider`); The amount is larger than that of the operation (`settle_exceeds_operation`); Another client must confirm the settlement (`settle_approval_required`); Another payment of the shop has that transaction id (`transaction_id_taken`); The payment cannot change to that status (`illegal_status_change`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Payments_refund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Customer returned the goods",
                 *       "confirm": false
                 *     }
                 */
                "application/json": components["schemas"]["RefundPayment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The payment cannot change to that status (`illegal_status_change`); Disputes and refunds would exceed the captured amount (`payment_disputed`); The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Refunds_listByPayment: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Refunds_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters, kept for 7 days by default for all clients of the merchant. A repeat gets the first answer, with the header Idempotent-Replayed: true. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Customer returned the goods",
                 *       "amount": 10,
                 *       "metadata": {
                 *         "return_id": "R-1001"
                 *       },
                 *       "confirm": false
                 *     }
                 */
                "application/json": components["schemas"]["CreateRefund"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true`: this is the answer to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The payment cannot change to that status (`illegal_status_change`); The refund is larger than the captured amount that is left (`refund_exceeds_captured`); Disputes and refunds would exceed the captured amount (`payment_disputed`); The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Refunds_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description One or more statuses, separated by commas. Example: `pending,succeeded`. */
                status?: string;
                /** @description The id of the shop. */
                shop_id?: number;
                /** @description Example: `17`. */
                payment_id?: number;
                /** @description Refunds created at this time or later. Example: `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description Refunds created before this time. Example: `2026-11-22T00:00:00Z`. */
                to?: string;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Refunds_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the refund. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such refund (`refund_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Customers_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
                /** @description Your own id of the customer. Example: `user-4711`. */
                reference?: string;
                /** @description The whole address; upper and lower case count as the same. Example: `ada@example.com`. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredCustomerPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Customers_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredCustomerResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such customer (`customer_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Customers_erase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such customer (`customer_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SavedMethods_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the customer. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMethodPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such customer (`customer_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SavedMethods_save: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters, kept for 7 days by default for all clients of the merchant. A repeat gets the first answer, with the header Idempotent-Replayed: true. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the customer. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveMethod"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true`: this is the answer to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMethodResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such customer (`customer_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The customer was erased (`customer_erased`); The customer has reached the limit of saved payment methods (`payment_method_limit_reached`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SavedMethods_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer. */
                id: number;
                /** @description The id of the saved payment method. */
                methodId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMethodResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description The customer has no such payment method (`payment_method_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SavedMethods_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer. */
                id: number;
                /** @description The id of the saved payment method. */
                methodId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description The customer has no such payment method (`payment_method_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Disputes_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description One or more statuses, separated by commas. Example: `open,under_review`. */
                status?: string;
                /** @description The shop that was charged. Example: `3`. */
                shop_id?: number;
                /** @description Only open disputes whose evidence is due before this time. Example: `2026-11-23T00:00:00Z`. */
                due_before?: string;
                /** @description Only open disputes whose evidence is due at this time or later. Example: `2026-11-21T00:00:00Z`. */
                due_from?: string;
                /** @description Disputes opened at this time or later. Example: `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description Disputes opened before this time. Example: `2026-11-22T00:00:00Z`. */
                to?: string;
                /**
                 * @description `newest`: the newest first. `due`: open disputes whose evidence is due come first, overdue ones before all, then the
                 *     others, the newest first. Example: `due`.
                 */
                sort?: "due" | "newest";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputePage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Disputes_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the dispute. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such dispute (`dispute_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Disputes_listByPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Notifications_list: {
        parameters: {
            query: {
                /** @description Items per page. */
                limit?: number;
                /** @description The shop that received them. */
                shop_id: number;
                /** @description Only notifications about this payment. Example: `4711`. */
                payment_id?: number;
                /** @description Only notifications with this outcome. Example: `ignored`. */
                outcome?: "alarm" | "applied" | "conflict" | "ignored" | "waiting";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Notifications_acknowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the notification. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such notification (`notification_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The notification is not an alarm (`not_an_alarm`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Notifications_receive: {
        parameters: {
            query?: never;
            header: {
                /** @description For sandbox: hex HMAC-SHA256 of the raw body keyed with notification_secret. */
                Signature: string;
            };
            path: {
                /** @description The name of the payment provider. */
                provider: string;
                /** @description The id of the shop. */
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1",
                 *       "provider_transaction_id": "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11",
                 *       "status": "processing"
                 *     }
                 */
                "application/json": {
                    /** @example evt_1 */
                    id: string;
                    /** @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11 */
                    provider_transaction_id: string;
                    /** @enum {string} */
                    status: "cancelled" | "completed" | "failed" | "processing" | "refunded";
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        data: {
                            received: boolean;
                        };
                    };
                    /** @example [accepted] */
                    "text/plain": string;
                };
            };
            /** @description The request body is not valid JSON (`malformed_json`); The request path, query or headers are malformed (`malformed_request`) */
            400: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The signature does not match the body (`invalid_signature`) */
            401: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such provider (`provider_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is too large (`payload_too_large`) */
            413: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            /** @description A dependency of the service is down (`dependency_unavailable`) */
            503: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    Returns_receive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the payment provider. */
                provider: string;
                /** @description The part of the address that names the payment. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the payment's `return_url` */
            303: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    location: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            /** @description No such payment (`payment_not_found`); The payment was archived (`payment_archived`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Search_find: {
        parameters: {
            query: {
                /** @description The whole value. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Reports_read: {
        parameters: {
            query: {
                /** @description The first day. */
                from: string;
                /** @description The last day; at most 366 days in all. */
                to: string;
                /** @description The IANA name of the time zone whose days these are. Example: `Europe/Berlin`. */
                time_zone?: string;
                /**
                 * @description The sums of a period are divided by `shop` and `currency`, separated by a comma; those of approvals also by `scheme` and `country`.
                 *     Sums of money are always of one currency. Default: `shop,currency`, of approvals `shop`. Example: `shop`.
                 */
                by?: string;
                /** @description Example: `3`. */
                shop_id?: number;
                /** @description Weeks begin on Monday. */
                interval?: "day" | "month" | "week";
                /** @description Example: `EUR`. */
                currency?: string;
                /** @description Default: `csv` if the request accepts `text/csv` and no JSON, or asks for all rows. */
                format?: "csv" | "json";
                /** @description `all`: not sums, but each payment, capture, refund, dispute or attempt. Only as CSV. */
                rows?: "all" | "sums";
            };
            header?: never;
            path: {
                /** @description The rows that are summed. */
                report: "approvals" | "captures" | "disputes" | "fees" | "payments" | "refunds";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportResponse"];
                    "text/csv": string;
                };
            };
            /** @description The request path, query or headers are malformed (`malformed_request`) */
            400: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    ShopReports_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopReportResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Providers_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Sandbox_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description Only transactions of this payment. Example: `4711`. */
                payment_id?: number;
                /** @description Only transactions of this shop. Example: `3`. */
                shop_id?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxTransactionPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SandboxDashboard_capture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters. A repeat changes nothing more, and gets the present state. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The `provider_transaction_id` of a payment. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": 30
                 *     }
                 */
                "application/json": components["schemas"]["CreateSandboxCapture"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxTransactionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such transaction at the sandbox (`transaction_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SandboxDashboard_void: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters. A repeat changes nothing more, and gets the present state. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The `provider_transaction_id` of a payment. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxTransactionResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such transaction at the sandbox (`transaction_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SandboxDashboard_refund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters. A repeat changes nothing more, and gets the present state. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The `provider_transaction_id` of a payment. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": 10
                 *     }
                 */
                "application/json": components["schemas"]["CreateSandboxRefund"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxTransactionResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such transaction at the sandbox (`transaction_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SandboxDashboard_dispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters. A repeat changes nothing more, and gets the present state. Example: `order-A-1001`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The `provider_transaction_id` of a payment. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "chargeback",
                 *       "amount": 10,
                 *       "evidence_due_by": "2026-12-01T23:59:59Z",
                 *       "reason_code": "fraudulent",
                 *       "network_reason_code": "10.4"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSandboxDispute"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxDisputeResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such transaction at the sandbox (`transaction_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`); The idempotency key was used with another request (`idempotency_key_reused`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SandboxDashboard_getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `provider_dispute_id` of a dispute. */
                sandboxDisputeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxDisputeResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such dispute (`dispute_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    SandboxDashboard_changeDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `provider_dispute_id` of a dispute. */
                sandboxDisputeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "chargeback",
                 *       "status": "under_review",
                 *       "evidence_due_by": "2026-12-01T23:59:59Z"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSandboxDispute"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxDisputeResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such dispute (`dispute_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Shops_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
                /** @description Only objects whose name contains this text; upper and lower case count as the same. Example: `checkout`. */
                name_contains?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Shops_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShop"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedShopResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description The merchant already has a shop with that name (`shop_name_taken`); The merchant has reached its limit of shops (`shop_limit_reached`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Shops_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopWithHealthResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Shops_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShop"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The merchant already has a shop with that name (`shop_name_taken`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Credentials_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopCredentialListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Credentials_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsCheckResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    ShopWebhooks_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhook_endpoint": "https://merchant.example/webhooks"
                 *     }
                 */
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResultResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    ShopWebhooks_stats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                shopId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookStatsResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    ShopWebhooks_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description Example: `4711`. */
                payment_id?: number;
                /** @description Example: `failed`. */
                status?: "delivered" | "failed" | "pending";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the shop. */
                shopId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    ShopWebhooks_replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-11-21T00:00:00Z",
                 *       "to": "2026-11-21T06:00:00Z",
                 *       "status": "failed"
                 *     }
                 */
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveredResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Deliveries_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description Example: `4711`. */
                payment_id?: number;
                /** @description Only deliveries of this shop. If absent: of all shops of the merchant. Example: `1`. */
                shop_id?: number;
                /** @description Only deliveries to this endpoint, of either kind (`GET /webhooks/endpoints`). Example: `7`. */
                endpoint_id?: number;
                /** @description Only deliveries to exactly this address. If absent: to any address. Example: `https://merchant.example/webhooks`. */
                webhook_endpoint?: string;
                /** @description Only deliveries created at this time or later. Example: `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description Only deliveries created before this time. Example: `2026-11-21T06:00:00Z`. */
                to?: string;
                /** @description Example: `failed`. */
                status?: "delivered" | "failed" | "pending";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`); No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Deliveries_underWay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveryListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Deliveries_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetailResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook delivery (`delivery_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Deliveries_retry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "webhook_endpoint": "https://merchant.example/webhooks"
                 *     }
                 */
                "application/json": components["schemas"]["RetryDelivery"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook delivery (`delivery_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An attempt of the delivery is in progress (`delivery_in_progress`); The body of the delivery was deleted because its customer was erased (`delivery_erased`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Deliveries_redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Redeliver"];
            };
        };
        responses: {
            /** @description The count, for a request with `dry_run` */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveredResponse"];
                };
            };
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveredResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`); No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is paused or disabled: resume it first (`endpoint_not_active`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Conformance_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhook_endpoint": "https://merchant.example/webhooks"
                 *     }
                 */
                "application/json": components["schemas"]["ConformanceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConformanceRunResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Conformance_runEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConformanceRunResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Conformance_verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shop_id": 1,
                 *       "webhook_endpoint": "https://merchant.example/webhooks",
                 *       "body": "{event:payment.status_changed}",
                 *       "headers": {
                 *         "Signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookToVerify"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookVerificationResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`); No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Endpoints_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description Only the payments' addresses of this shop, and standing endpoints that get its events. Example: `3`. */
                shop_id?: number;
                /** @description Example: `failing`. */
                status?: "erring" | "failing" | "healthy";
                /** @description Example: `standing`. */
                kind?: "payment" | "standing";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointPage"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEndpoint"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEndpointResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description The merchant has reached its limit of standing webhook endpoints (`endpoint_limit_reached`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Endpoints_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDetailResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateEndpoint"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    EventTypes_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeDescriptionListResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointResponse"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_rotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "activate_in_seconds": 3600,
                 *       "overlap_seconds": 86400,
                 *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                 *     }
                 */
                "application/json": components["schemas"]["RotateEndpointSecret"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedEndpointSecretResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Management_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the standing endpoint. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event_type": "payment.status_changed"
                 *     }
                 */
                "application/json": components["schemas"]["TestEndpoint"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResultResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such webhook endpoint (`endpoint_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The endpoint is the address of payments, which each payment names (`endpoint_not_standing`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Shops_rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "activate_in_seconds": 3600,
                 *       "overlap_seconds": 86400,
                 *       "webhook_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedShopResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    WebhookKeys_published: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeySet"];
                };
            };
            /** @description The request path, query or headers are malformed (`malformed_request`) */
            400: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            414: components["responses"]["uri_too_long"];
            /** @description Too many requests (`too_many_requests`) */
            429: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    WebhookKeys_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the shop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["WebhookKeyRotation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeySetResponse"];
                };
            };
            400: components["responses"]["malformed_request_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope"];
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The shop has no webhook key: it signs with its secret only (`no_webhook_key`) */
            409: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["payload_too_large"];
            414: components["responses"]["uri_too_long"];
            415: components["responses"]["unsupported_media_type"];
            /** @description The request has invalid fields (`validation_failed`) */
            422: {
                headers: {
                    /** @description The id of this request: the id that the request sent, if it has up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    payment_status_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id": string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "payment.status_changed",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "payment": {
                 *         "id": 0,
                 *         "payment_session_id": "ps_00000000-0000-0000-0000-000000000000",
                 *         "provider_transaction_id": "test_00000000-0000-0000-0000-000000000000",
                 *         "amount": 100.5,
                 *         "currency": "USD",
                 *         "status": "completed",
                 *         "country": "US",
                 *         "payment_provider": "sandbox",
                 *         "flow_id": 0,
                 *         "created_at": "2026-11-21T01:01:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z",
                 *         "expires_at": "2026-11-21T01:31:03.456Z",
                 *         "amount_authorized": 100.5,
                 *         "amount_captured": 100.5,
                 *         "amount_refunded": 0
                 *       },
                 *       "customer": {
                 *         "id": 0,
                 *         "email": "jane.doe@example.com",
                 *         "phone": "+12025550123",
                 *         "first_name": "Jane",
                 *         "last_name": "Doe",
                 *         "full_name": "Jane Doe",
                 *         "address": "1 Main Street",
                 *         "city": "Springfield",
                 *         "region": "IL",
                 *         "postal_code": "62701",
                 *         "country_code": "US",
                 *         "date_of_birth": "1990-01-01"
                 *       },
                 *       "shop": {
                 *         "id": 3,
                 *         "name": "Berlin"
                 *       },
                 *       "metadata": {
                 *         "order_id": "TEST-0001"
                 *       },
                 *       "provider_metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    payment_amounts_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "payment.amounts_changed",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "payment_id": 17,
                 *         "status": "completed",
                 *         "currency": "EUR",
                 *         "cause": "refund_created",
                 *         "refund_id": 815,
                 *         "before": {
                 *           "amount_authorized": 49.9,
                 *           "amount_captured": 49.9,
                 *           "amount_refunded": 0
                 *         },
                 *         "after": {
                 *           "amount_authorized": 49.9,
                 *           "amount_captured": 49.9,
                 *           "amount_refunded": 10
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PaymentAmountsChangedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    payment_late_charge: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "payment.late_charge",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "payment_id": 17,
                 *         "status": "cancelled",
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "amount": 49.9,
                 *         "currency": "EUR"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PaymentLateChargeWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    capture_failed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "capture.failed",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "payment_id": 17,
                 *         "operation_id": 24,
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "amount": 39.9,
                 *         "currency": "EUR",
                 *         "reason": "capture_failed"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CaptureFailedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    authorization_lapsing: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "authorization.lapsing",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "payment_id": 17,
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "amount": 49.9,
                 *         "currency": "EUR",
                 *         "capture_before": "2026-11-22T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationLapsingWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refund_created: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "refund.created",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "id": 815,
                 *         "payment_id": 17,
                 *         "amount": 10,
                 *         "currency": "EUR",
                 *         "status": "pending",
                 *         "origin": "api",
                 *         "provider_refund_id": null,
                 *         "failure_code": null,
                 *         "created_at": "2026-11-21T01:02:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefundCreatedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refund_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "refund.updated",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "id": 815,
                 *         "payment_id": 17,
                 *         "amount": 10,
                 *         "currency": "EUR",
                 *         "status": "succeeded",
                 *         "origin": "api",
                 *         "provider_refund_id": "re_3MtwBw",
                 *         "failure_code": null,
                 *         "created_at": "2026-11-21T01:02:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefundUpdatedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    dispute_opened: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "dispute.opened",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "id": 42,
                 *         "payment_id": 17,
                 *         "shop_id": 3,
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "provider_dispute_id": "dp_1",
                 *         "kind": "chargeback",
                 *         "status": "open",
                 *         "amount": 49.9,
                 *         "currency": "EUR",
                 *         "reason_code": "fraudulent",
                 *         "network_reason_code": "10.4",
                 *         "evidence_due_by": "2026-12-01T23:59:59.000Z",
                 *         "opened_at": "2026-11-21T01:02:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeOpenedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    dispute_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "dispute.updated",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "id": 42,
                 *         "payment_id": 17,
                 *         "shop_id": 3,
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "provider_dispute_id": "dp_1",
                 *         "kind": "chargeback",
                 *         "status": "under_review",
                 *         "amount": 49.9,
                 *         "currency": "EUR",
                 *         "reason_code": "fraudulent",
                 *         "network_reason_code": "10.4",
                 *         "evidence_due_by": "2026-12-01T23:59:59.000Z",
                 *         "opened_at": "2026-11-21T01:02:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeUpdatedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    dispute_due: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "dispute.due",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "id": 42,
                 *         "payment_id": 17,
                 *         "shop_id": 3,
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "provider_dispute_id": "dp_1",
                 *         "kind": "chargeback",
                 *         "status": "open",
                 *         "amount": 49.9,
                 *         "currency": "EUR",
                 *         "reason_code": "fraudulent",
                 *         "network_reason_code": "10.4",
                 *         "evidence_due_by": "2026-11-23T01:02:03.456Z",
                 *         "opened_at": "2026-11-21T01:02:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeDueWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    dispute_closed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "dispute.closed",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "id": 42,
                 *         "payment_id": 17,
                 *         "shop_id": 3,
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "provider_dispute_id": "dp_1",
                 *         "kind": "chargeback",
                 *         "status": "won",
                 *         "amount": 49.9,
                 *         "currency": "EUR",
                 *         "reason_code": "fraudulent",
                 *         "network_reason_code": "10.4",
                 *         "evidence_due_by": null,
                 *         "opened_at": "2026-11-21T01:02:03.456Z",
                 *         "updated_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeClosedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    operation_stuck: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "operation.stuck",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "payment_id": 17,
                 *         "operation_id": 23,
                 *         "kind": "refund",
                 *         "attempt": 1,
                 *         "provider": "sandbox",
                 *         "amount": 10,
                 *         "currency": "EUR",
                 *         "is_stopped": false,
                 *         "tries": 9,
                 *         "last_answer": "unknown",
                 *         "created_at": "2026-11-21T00:45:10.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OperationStuckWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    shop_down: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "shop.down",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": null,
                 *       "data": {
                 *         "shop_name": "Berlin",
                 *         "provider": "sandbox",
                 *         "began_at": "2026-11-21T01:02:03.456Z",
                 *         "approved": 2,
                 *         "declined": 1,
                 *         "failed": 9
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ShopDownWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    shop_up: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "shop.up",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": null,
                 *       "data": {
                 *         "shop_name": "Berlin",
                 *         "provider": "sandbox",
                 *         "began_at": "2026-11-21T00:45:10.000Z",
                 *         "ended_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ShopUpWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    approvals_fell: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "approvals.fell",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": null,
                 *       "data": {
                 *         "shop_name": "Berlin",
                 *         "card_scheme": "visa",
                 *         "approval_rate": 0.71,
                 *         "approval_rate_before": 0.92,
                 *         "attempts": 240,
                 *         "attempts_before": 262,
                 *         "fell_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalsFellWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    delivery_failed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "delivery.failed",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": 3,
                 *       "payment_id": 0,
                 *       "data": {
                 *         "delivery_id": 91,
                 *         "event": "payment.status_changed",
                 *         "payment_status": "completed",
                 *         "endpoint_id": null,
                 *         "webhook_endpoint": "https://shop.example",
                 *         "attempts": 4,
                 *         "last_status_code": 500,
                 *         "last_error": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeliveryFailedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endpoint_failing: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "endpoint.failing",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "endpoint_id": 5,
                 *         "webhook_endpoint": "https://shop.example",
                 *         "failing_since": "2026-11-21T00:45:10.000Z",
                 *         "last_status_code": null,
                 *         "last_error": "timeout"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointFailingWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endpoint_recovered: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "endpoint.recovered",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "endpoint_id": 5,
                 *         "webhook_endpoint": "https://shop.example",
                 *         "failing_since": "2026-11-21T00:45:10.000Z",
                 *         "recovered_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointRecoveredWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endpoint_disabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "endpoint.disabled",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "endpoint_id": 5,
                 *         "webhook_endpoint": "https://shop.example",
                 *         "reason": "gone",
                 *         "disabled_at": "2026-11-21T01:02:03.456Z",
                 *         "failing_since": "2026-11-21T00:45:10.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointDisabledWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    approval_requested: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "approval.requested",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "flow_id": 2,
                 *         "flow_name": "checkout",
                 *         "version": 5,
                 *         "requested_by": "client_0c8c1d1e6f0a",
                 *         "colleagues": [
                 *           "client_1d9e2f3a4b5c"
                 *         ],
                 *         "requested_at": "2026-11-21T01:02:03.456Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalRequestedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    flow_activated: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "flow.activated",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "flow_id": 2,
                 *         "flow_name": "checkout",
                 *         "version": 5,
                 *         "previous_version": 4
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FlowActivatedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    flow_rolled_back: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "flow.rolled_back",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "flow_id": 2,
                 *         "flow_name": "checkout",
                 *         "version": 4,
                 *         "previous_version": 5,
                 *         "reason": "guardrail",
                 *         "rollout_id": 3,
                 *         "guardrail": {
                 *           "max_drop_points": 2,
                 *           "drop_points": 4.1,
                 *           "base": {
                 *             "payments": 9020,
                 *             "approved": 8195,
                 *             "declined": 790,
                 *             "refused": 0
                 *           },
                 *           "candidate": {
                 *             "payments": 976,
                 *             "approved": 850,
                 *             "declined": 123,
                 *             "refused": 4
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FlowRolledBackWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    flow_renamed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint. */
                Signature: string;
                /** @description The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have processed (Standard Webhooks). */
                "webhook-id": string;
                /** @description Time of this attempt, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` for a sample that was requested to test the address. */
                "Webhook-Test"?: string;
                /** @description The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it and verify the signature before you trust the body. */
                "webhook-shop-id"?: string;
                /** @description The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust the body. */
                "webhook-endpoint-id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "flow.renamed",
                 *       "test": true,
                 *       "timestamp": "2026-11-21T01:02:03.456Z",
                 *       "id": "evt_00000000000000000000000000000000",
                 *       "shop_id": null,
                 *       "payment_id": null,
                 *       "data": {
                 *         "flow_id": 2,
                 *         "flow_name": "checkout-eu",
                 *         "previous_name": "checkout"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FlowRenamedWebhook"];
            };
        };
        responses: {
            /** @description The address no longer exists: the delivery fails without further attempts */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged: delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like no answer in time */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
