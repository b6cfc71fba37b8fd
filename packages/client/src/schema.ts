// Made of docs/openapi.json by `npm run client:generate`: do not change it by hand.

export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs; ask this to decide on a restart */
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
        /** Whether the process can work now; ask this to decide on sending it requests */
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
        /** Metrics of this process for Prometheus */
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
        /** Lists the merchant's API clients, newest first, revoked ones included. They are made and revoked on the command line alone. */
        get: operations["Clients_list"];
        put?: never;
        post?: never;
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
         * List what was done to the settings, newest first
         * @description Every change of shops, flows, secrets and API clients, and every retry, replay, test and erasure asked for by hand: who, what, when and from where. Entries never change and never hold secrets or personal data.
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
        /** Exchanges client credentials for an access token (OAuth 2.0, RFC 6749 §4.4). JSON with the same fields is taken as well. */
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
        /** The public keys that verify access tokens (RFC 7517): the newest first, then those of tokens that still live. */
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
         * Read what happened, in the order in which it was committed, as a page or a stream
         * @description Whoever goes on behind the last cursor gets every event once: none is skipped, also not one that was committed late. With `Accept: text/event-stream` a stream of Server-Sent Events, which begins now unless told otherwise: `id` is the cursor, `event` the type, `data` the event; a heartbeat comes every 15 seconds. The stream ends within 15 seconds once its token is no longer accepted. After 5 minutes it ends in any case, and is to be opened again with `Last-Event-ID`, as every client of Server-Sent Events does by itself. Otherwise a page, oldest first, whose `next_cursor` is there also when nothing follows yet; `has_more` tells whether to ask again at once. A page may hold fewer events than `limit`, or none, and have more. A client may have 5 streams open, a merchant 20, at each process of the service.
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
        /** List flows, newest first */
        get: operations["Flows_list"];
        put?: never;
        /** Create a flow */
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
        /** Read a flow */
        get: operations["Flows_find"];
        put?: never;
        post?: never;
        /** Delete a flow that has no open payments; its name is free again */
        delete: operations["Flows_remove"];
        options?: never;
        head?: never;
        /**
         * Change a flow
         * @description A change of anything but the name drafts a new version and activates it in one. The counter goes on. The same change once more changes nothing, so the call can be repeated. With `based_on_version` it takes the place of that version alone.
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
         * Run a flow without changing anything
         * @description Answers which shop a payment would go to now. No shop for the payment is a result, not an error: `data.success` is false. With `simple` the whole answer is `true` or `false`. With `explain` it says why, and for every other shop the smallest single change that would have picked it. `count`, `overrides`, `at_counter` and `definition` ask what if; any of them may be combined, and nothing is ever written.
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
        /** List a flow's versions, newest first */
        get: operations["FlowVersions_list"];
        put?: never;
        /**
         * Write a draft
         * @description No payment goes by a draft until it is activated. Try it before: `POST /flows/simulate` takes it as `definition`, `POST /flows/{id}/replay` as `version`.
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
        /** Read a version */
        get: operations["FlowVersions_find"];
        put?: never;
        post?: never;
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
         * Let payments go by a version, newer or older
         * @description The counter goes on; payments that are already routed stay where they are. Activating the active version changes nothing, so the call can be repeated. With `based_on_version` it takes the place of that version alone.
         */
        post: operations["FlowVersions_activate"];
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
         * Run past payments through a draft
         * @description Tells what would have become of the payments that the flow has routed, without changing anything. A payment keeps the counter and the random number of its own decision, and the health and approval rates of the shops that this saw, so that an unchanged flow decides as it did; what had no number is said in `counter` and `draws`. Apart from that, shops are taken as they are now, and as healthy. Payments that were refused are not among the past ones. `approval` estimates how many of them the first shop would have approved, with intervals of 95 %, from the payments that turns, weights and chance sent to the shops that the draft prefers; `doubt` says when the past cannot tell. One replay of a merchant runs at once, and one may wait for it.
         */
        post: operations["FlowReplay_replay"];
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
         * Read how payments and deliveries go, and what waits
         * @description Approvals of each shop by the hour, deliveries by the minute, and what an operator should look at. It costs the same however many payments and deliveries there were.
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
         * Read what waits for a provider or for a person
         * @description Operations without an outcome, notifications that cannot be applied yet, and alarms that nobody has acknowledged.
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
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payments, newest first */
        get: operations["Payments_list"];
        put?: never;
        /**
         * Create a payment
         * @description Routes the payment through the flow, hands it to the provider of the chosen shop and answers with the payment as it is then. When the provider gives no answer in time the payment stays pending. When it declines softly or is unavailable the next shop is tried, as often as the flow's max_attempts says. Without the scope `payments:read` the answer has of a customer that is known the `id` and the fields of this request, and neither `customer_id` nor `customer.reference` may come with a `webhook_endpoint`, to which the customer would be sent.
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
        /** Read a payment */
        get: operations["Payments_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change of status of a payment, oldest first */
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
         * Every try of a payment with a shop, in their order
         * @description A payment goes on to the next shop of its decision when a shop declined it softly or is known not to have taken it, as often as the flow's max_attempts says. An attempt without an outcome, or with `unknown`, may have been charged and is never followed by another.
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
         * Everything that was asked of providers for a payment, in that order
         * @description Each charge, void and refund is on record before its call, and is tried until its outcome is known, for three days. What is open with `next_try_at: null` nobody tries any more: look at the payment at its provider, or sync it.
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
         * Why a payment went where it went
         * @description The decision as it was made when the payment was created: which shops failed which tests, what the strategy chose by, and in which order other shops would have been tried.
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
         * Ask the provider now what became of a payment
         * @description Of what is open at the provider, which is otherwise asked about by and by. Answers the payment as it is after that; a payment of which nothing is open as it is. Without the scope `payments:read`, of the customer only the `id` is answered, and no metadata, address or next action.
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
         * Cancel a payment that is pending, or in processing when its provider confirms
         * @description Safe to repeat: a payment that is cancelled already is answered as it is. Without the scope `payments:read`, of the customer only the `id` is answered, and no metadata, address or next action.
         */
        post: operations["Payments_cancel"];
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
         * Refund a completed payment in full
         * @description Safe to repeat: a payment that is refunded already is answered as it is. `refund_pending` of the answer is true while the provider has yet to say what became of the refund: no other one is made then, and a repeat asks the provider where it can be asked. When the refund has failed, 409 `provider_unconfirmed` says why, and the next request makes a new one. Partial refunds are not supported, an `amount` is refused. Without the scope `payments:read`, of the customer only the `id` is answered, and no metadata, address or next action.
         */
        post: operations["Payments_refund"];
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
         * @description Blanks the customer, the metadata of its payments, and the bodies and answers of its webhooks and notifications. Amounts, currencies, countries, statuses, times and ids stay, and so do the payments. Webhooks that are still to be delivered are sent as they are and blanked afterwards. There is no way back: the customer takes no new payments, and its webhooks cannot be delivered again. Repeating the call changes nothing and tells how far it is.
         */
        post: operations["Customers_erase"];
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
         * List what providers sent for a shop, newest first
         * @description Every notification whose signature was right, with what became of it: one that came too early waits for what makes it legal; one that contradicts what is known of its payment is ignored, and says why. A notification id that comes again is listed again only with other content.
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
         * @description Says that a person has looked at it and done what was to be done at the provider. It is then open work no longer; nothing of the payment changes. An alarm that was acknowledged before stays as it was.
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
         * @description Authenticated by the provider's own signature over the raw body, with the shop's credentials. Answers 200, with the body that the provider asks for, once it is stored; each notification id counts once, and kinds that tell nothing about a payment are answered 200 and left.
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
         * Where a payer comes back to from a redirect of a provider that has to be told of it
         * @description For payers' browsers alone. Hands what the provider put into the query over to it, and sends the payer on to the payment's `return_url`, whatever came of it: ask for the payment there.
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
    "/shops/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells how a shop does: its health as routing sees it, the last hour by minutes, and why its charges were declined. */
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
        /** Lists the payment providers that a shop can be at, and the credentials that each takes. */
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
         * List what the sandbox holds of the merchant's payments, newest first
         * @description The sandbox's own books, as another company would keep them: what it was asked for and what it has taken, whatever became of its answers. Empty with `SANDBOX_LEDGER=false`.
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
    "/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the merchant's shops, newest first. */
        get: operations["Shops_list"];
        put?: never;
        /** Creates a shop. This answer is one of few that show its webhook secret. */
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
        /** Reads one shop, how it does, and what of its rotations is still to come. */
        get: operations["Shops_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes the fields that are given, of the credentials the keys. The provider of a shop never changes: its payments live there. */
        patch: operations["Shops_update"];
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
         * Gives the shop a new webhook secret, made here or given, which signs at once or in `activate_in_seconds`: time to put it
         *     beside the old one at the receiver. During the overlap webhooks carry signatures with both; another rotation ends it.
         */
        post: operations["Shops_rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shops/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what the shop's provider takes as credentials, and what the shop has of them; secrets by their last characters alone. */
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
        /** Asks the provider whether it takes the shop's credentials, by one call that changes nothing there. Takes as long as the provider may take. */
        post: operations["Credentials_check"];
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
         * The public keys that verify `v1a` in the header `webhook-signature`, for everybody. No keys for a shop that signs with
         *     its secret alone.
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
        /** Gives the shop a new key to sign with. During the overlap webhooks carry signatures with both; another rotation ends it. */
        post: operations["WebhookKeys_rotate"];
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
         * Send a sample webhook to an address, now and once
         * @description Signed like every other, with `"test": true` in the body and the header `Webhook-Test: true`. A receiver that fails is a result, not an error.
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
         * Delivery statistics of a shop, its latest deliveries and its webhook secret
         * @description The secret is told to a token with the scope `webhooks:secrets`; to others it is `null`.
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
        /** List deliveries of a shop, newest first */
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
         * Deliver again what was created in a span of time
         * @description A fresh run of the schedule for every delivery of the span that has ended, in the way of `POST /webhooks/redeliver`: workers begin within a second or two, and go through them from the oldest on, a few at a time. A request like one that is being carried out adds to it what failed since, and sends nothing again that was delivered by it. Answers how many are sent, once they are on record.
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
         * @description What `POST /webhooks/redeliver` would find by the same words, and what is pending. With `webhook_endpoint` a page may hold fewer than `limit`, or none, and have a next one.
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
         * List the redeliveries under way
         * @description Requests of `POST /webhooks/redeliver`, and of `POST /webhooks/shop/{shopId}/replay` by status, that workers are carrying out, the latest first. One that is not here any more has put all its deliveries back into the queue.
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
         * @description By its `id`, or by the `webhook-id` that its receiver knows.
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
         * Deliver now, or again
         * @description Starts a fresh run of the schedule with the same body and `webhook-id`, also of a delivery that succeeded. Of one that is pending the next attempt is pulled forward, unless one is under way at this moment. To send it to another address, which shows its body there, takes the scope `webhooks:read` besides.
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
         * Deliver again what a filter finds, a few at a time
         * @description For after an outage. Each delivery gets a fresh run of the schedule, with the same body and `webhook-id`. Workers go through them from the oldest on, as fast as receivers answer while nothing else is to be delivered, and so many a second otherwise that what happens meanwhile is not delayed; they wait while 200 of a shop fail. A request like one that is being carried out adds to it what failed since: what is counted is sent. Of what was delivered, what that one has gone through is neither counted nor sent again. With `dry_run` it answers 200 and the count only.
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
         * Prove a receiver right
         * @description Sends some twenty requests to the address, one after the other: genuine ones and unusual ones, which it has to acknowledge, and wrong ones, which it has to refuse. Any 2xx acknowledges; what it does not show, such as whether a repetition was handled once, `unproven` tells. Takes up to half a minute; nothing is recorded as a delivery.
         */
        post: operations["Conformance_run"];
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
         * @description Takes a webhook as the receiver saw it and tells what happened to it. Changes nothing.
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
         * List where webhooks go, and how it answered during the last day, newest first
         * @description An endpoint is what a shop sends to at one scheme, host and port. It costs the same however many deliveries there were.
         */
        get: operations["Endpoints_list"];
        put?: never;
        post?: never;
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
        /** Read one endpoint, hour by hour */
        get: operations["Endpoints_find"];
        put?: never;
        post?: never;
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
}
export interface components {
    schemas: {
        ActivateVersion: {
            /**
             * Format: int64
             * @description The active version that this one was compared with: refused (`flow_changed`) when another one is active by now. Left out: takes the place of whatever is active.
             * @example 1
             */
            based_on_version?: number;
        };
        /** @enum {string} */
        AlarmReason: "amount_differs" | "other_refund" | "void_failed" | "refund_failed" | "capture_failed";
        /** @description Of the amount, in the currency's major unit. All tests that are given must pass; there is at least one. */
        AmountTest: {
            /** Format: double */
            equals?: number;
            /** @description One of these, none of them twice. */
            in?: number[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: number | number[];
            /**
             * Format: double
             * @description The least, itself included.
             */
            min?: number;
            /**
             * Format: double
             * @description The greatest, itself included.
             */
            max?: number;
        };
        /** @enum {string} */
        ApprovalDoubt: "not_enough_payments" | "not_enough_overlap";
        ApprovalEstimate: {
            /**
             * Format: double
             * @description As many payments decided by the draft itself would tell as much about it as these do.
             * @example 412.6
             */
            effective_payments: number;
            /**
             * Format: double
             * @description The part of what the draft does with payments that the past can tell about: what could never have gone to the draft's shop
             *     cannot tell.
             * @example 0.98
             */
            overlap: number;
            /**
             * @description Why there is no estimate for the draft. `not_enough_payments`: fewer than 30, or of too few customers.
             *     `not_enough_overlap`: the past sent no payments of this kind where the draft sends them, or too few.
             */
            doubt: components["schemas"]["ApprovalDoubt"] | null;
            /**
             * Format: int64
             * @description So many payments it rests on.
             * @example 980
             */
            payments: number;
            /**
             * Format: int64
             * @description Not among them, because it is not known whether the first shop approved: pending, in processing, cancelled.
             * @example 15
             */
            without_outcome: number;
            /**
             * Format: int64
             * @description Not among them, because how likely the pick was is not on record: decisions of older releases.
             * @example 5
             */
            without_probability: number;
            /** @description Of the past decisions; `null`: there are no payments. */
            before: components["schemas"]["EstimatedRate"] | null;
            /** @description Of the draft; a payment that no shop takes is not approved. `null`: `doubt` says why. */
            after: components["schemas"]["EstimatedRate"] | null;
            /** @description `after` less `before`, with an interval of its own, in which what is common to both cancels out. */
            difference: components["schemas"]["EstimatedRate"] | null;
        };
        Approvals: {
            /**
             * @description When the first hour begins.
             * @example 2026-11-21T02:00:00.000Z
             */
            from: string;
            /** @description At most 100, those with the most outcomes. */
            shops: components["schemas"]["ShopApprovals"][];
        };
        Assertion: {
            /**
             * @description Which payments it is about, written as in a rule; `{}`: all.
             * @example {
             *       "country": {
             *         "equals": "DE"
             *       }
             *     }
             */
            when: components["schemas"]["Condition"];
            /**
             * Format: int64
             * @description They can never go to this shop, which need not be in the flow.
             * @example 3
             */
            never?: number;
            /**
             * Format: int64
             * @description There are at least so many shops that they can go to, each of them when the others are down. It is not about how many
             *     of them one payment is tried with: see `at_least_tries`.
             * @example 2
             */
            at_least?: number;
            /**
             * Format: int64
             * @description They are tried with at least so many shops before they fail, while all shops are up and each failure lets another shop
             *     try: `max_attempts` is so high, and the rule that decides has so many shops that take the payment.
             * @example 2
             */
            at_least_tries?: number;
        };
        /** @enum {string} */
        AttemptOutcome: "approved" | "processing" | "declined" | "soft_declined" | "unavailable" | "unknown";
        /** @enum {string} */
        AuditAction: "shop.created" | "shop.updated" | "shop.credentials_checked" | "shop.webhook_secret_rotated" | "shop.webhook_key_rotated" | "flow.created" | "flow.updated" | "flow.version_drafted" | "flow.version_activated" | "flow.deleted" | "client.created" | "client.revoked" | "client.secret_rotated" | "delivery.retried" | "deliveries.replayed" | "deliveries.redelivered" | "webhook.tested" | "webhook.conformance_run" | "customer.erased" | "charge.given_back" | "alarm.acknowledged";
        AuditActor: {
            /**
             * @description `cli`: the command line, on the server; `system`: the service itself.
             * @example client
             */
            type: components["schemas"]["AuditActorType"];
            /**
             * @description `null` unless it was an API client.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string | null;
        };
        /** @enum {string} */
        AuditActorType: "client" | "cli" | "system";
        AuditEntry: {
            /**
             * Format: int64
             * @example 512
             */
            id: number;
            /** @example shop.updated */
            action: components["schemas"]["AuditAction"];
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            at: string;
            actor: components["schemas"]["AuditActor"];
            object: components["schemas"]["AuditObject"];
            /**
             * @description The names of the fields that were given a new value, never the values.
             * @example [
             *       "name",
             *       "provider_credentials"
             *     ]
             */
            fields: string[];
            /**
             * @description What else describes the change, such as the number of a flow's version or the span of a replay.
             * @example {}
             */
            details: {
                [key: string]: unknown;
            };
            /**
             * @description The address that the request came from; `null` when there was none.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The `X-Request-Id` of the request; `null` when there was none.
             * @example 0b5f5c1e-6d5e-4f6e-9d53-0b8a0e0f2a11
             */
            request_id: string | null;
        };
        AuditEntryPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        AuditObject: {
            /** @example 3 */
            id: string;
            /** @example shop */
            type: components["schemas"]["AuditObjectType"];
        };
        /** @enum {string} */
        AuditObjectType: "shop" | "flow" | "client" | "delivery" | "merchant" | "customer" | "notification";
        Change: {
            /**
             * @description Any JSON value; `null`: the field is absent, or `null` itself, which metadata can be.
             * @example false
             */
            from: unknown;
            /**
             * @description Any JSON value; `null`: the field is to be left out.
             * @example true
             */
            to: unknown;
            /**
             * @description The field of `POST /flows/simulate`; one inside `definition` changes the flow itself.
             * @example overrides.shops.3.enabled
             */
            field: string;
        };
        /** @enum {string} */
        ChangeCause: "provider_answer" | "provider_unavailable" | "provider_notification" | "provider_lookup" | "cancel_requested" | "refund_requested" | "expired" | "charged_after_end" | "late_charge_reversed";
        /**
         * @description What a payment must meet: all that the object names, so `{}` is met by all. `currency`, `country`, `amount`, `customer_id` and `metadata.<path>` take tests, `all` and `any` conditions, `not` one. A field that a payment does not have equals nothing. `metadata.order.tier` is the key `tier` of the object `order`; of an array, the key is an index. The tests of `metadata.<path>` are a `MetadataTest`. At most 8 levels deep.
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
            /** @description Every one of these is met. */
            all?: components["schemas"]["Condition"][];
            /** @description At least one of these is met. */
            any?: components["schemas"]["Condition"][];
            /** @description This one is not met. */
            not?: components["schemas"]["Condition"];
            currency?: components["schemas"]["CurrencyTest"];
            country?: components["schemas"]["CountryTest"];
            amount?: components["schemas"]["AmountTest"];
            customer_id?: components["schemas"]["CustomerIdTest"];
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
            /** @example stale_timestamp */
            name: string;
            /** @example false */
            passed: boolean;
            /** @example a genuine request that was signed an hour ago */
            sent: string;
            /**
             * @description What a right receiver answers.
             * @example a 4xx, such as 401
             */
            expected: string;
            /** @example 200 in 12 ms */
            got: string;
            /**
             * @description What to change; `null` when it passed.
             * @example Refuse what is older than five minutes.
             */
            advice: string | null;
            /** @description What the answers do not show of a case that passed, and where to look for it; `null` where they show all. A receiver that answers 208 to a repetition or an older event shows that it dropped it. */
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
             * @description Whether every case passed; `unproven` of a case tells what the answers do not show.
             * @example false
             */
            passed: boolean;
            cases: components["schemas"]["ConformanceCaseResult"][];
        };
        ConformanceRunResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ConformanceRun"];
        };
        /** @description Of the ISO 3166-1 alpha-2 code. All tests that are given must pass; there is at least one. */
        CountryTest: {
            equals?: string;
            /** @description One of these, none of them twice. */
            in?: string[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: string | string[];
            /** @description Whether the payment must have the field, or must not. */
            exists?: boolean;
        };
        CreateCustomer: {
            /**
             * @description ISO 3166-1 alpha-2.
             * @example GB
             */
            country_code?: string;
            /**
             * Format: date
             * @example 1985-12-10
             */
            date_of_birth?: string;
            /**
             * @description Your own id of the customer, no personal data. When a customer of yours has it, that one is meant: the fields that are
             *     given here are written over its own, the others stay. Without it every payment makes a customer.
             * @example user-4711
             */
            reference?: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email?: string;
            /**
             * @description As the payer wrote it: its form is not checked, so that it costs no payment. Control characters are left out.
             * @example +44 20 7946 0958
             */
            phone?: string;
            /** @example Ada */
            first_name?: string;
            /** @example Lovelace */
            last_name?: string;
            /** @example Ada Lovelace */
            full_name?: string;
            /** @example 12 Queen Square */
            address?: string;
            /** @example London */
            city?: string;
            /** @example Greater London */
            region?: string;
            /** @example SW1Y 4JH */
            postal_code?: string;
            /** @example female */
            gender?: string;
            /** @example Analytical Engines Ltd */
            company?: string;
            /** @example GB123456789 */
            vat_number?: string;
        };
        CreateFlow: {
            /**
             * @description How the flow chooses among the shops that may take a payment. `round_robin`: they take turns. `weighted`: each gets
             *     exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the lowest number; equals take
             *     turns. `sticky`: the same customer goes to the same shop, by weight; payments without a customer as `weighted`.
             *     `success_rate`: by recent approval rates. `rules`: the first of `rules` that matches and has a shop for the payment,
             *     otherwise `default`.
             * @example round_robin
             */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description How many shops a payment is tried with at most, the first included; 1 when it is left out: no failover.
             * @example 3
             */
            max_attempts?: number;
            /**
             * @description Unique among the merchant's flows.
             * @example checkout
             */
            name: string;
            /** @description 1 to 300 shops, none of them twice. */
            shops: components["schemas"]["FlowShop"][];
            /** @description For the strategy `rules`: at most 100, tried in order. */
            rules?: components["schemas"]["Rule"][];
            /** @description For the strategy `rules`, which requires it: who takes the payments that no rule has a shop for. */
            default?: components["schemas"]["RuleUse"];
            /**
             * @description At most 50; a version that breaks one of them is not activated. They are about the flow alone: whether a shop is
             *     disabled as a whole or unhealthy at the moment does not count.
             */
            assertions?: components["schemas"]["Assertion"][];
        };
        CreatePayment: {
            /**
             * Format: double
             * @description Greater than 0, with at most the currency's decimals.
             * @example 49.9
             */
            amount: number;
            /**
             * @description ISO 4217, of a currency that can be paid in: no metals, funds, test codes or withdrawn currencies.
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
             * @description Where to send a signed webhook at each change of status: an absolute http(s) URL.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
            /**
             * Format: uri
             * @description Where the payer comes back to after a redirect (`next_action`): https, or http on a loopback host.
             * @example https://merchant.example/checkout/A-1001
             */
            return_url?: string;
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
            /** @description A new customer, or the one that has its `reference`; or else `customer_id` of an earlier one. */
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
             * @description Made when absent.
             * @example ps_4711
             */
            payment_session_id?: string;
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
             * @description What the provider needs to know; never given back. The sandbox takes `notification_secret` and, to make it answer every payment like a token, `simulate`. Default: `{}`.
             * @example {
             *       "notification_secret": "a-secret-for-notifications"
             *     }
             */
            provider_credentials?: {
                [key: string]: unknown;
            };
            /**
             * @description What webhooks are signed with: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. Made when absent.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret?: string;
        };
        CreatedShop: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description What webhooks are signed with: the webhook secret, or a key of the shop's own, too.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /**
             * @description What the shop's webhooks are signed with.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret: string;
            /** @example Main shop */
            name: string;
            /** @example sandbox */
            provider: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
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
             * @description Which of the credentials.
             * @example secret_key
             */
            field: string;
            /** @example is not a key that Stripe knows, or it was revoked */
            message: string;
        };
        /** @enum {string} */
        CredentialUse: "calls" | "notifications";
        CredentialsCheck: {
            /**
             * @description `accepted`: the provider takes them; `refused`: `errors` says which it does not; `unknown`: it did not look at them, `reason` says why.
             * @example accepted
             */
            outcome: components["schemas"]["CredentialsCheckOutcome"];
            errors: components["schemas"]["CredentialError"][];
            /** @description Why it is not known; `null` when it is. */
            reason: string | null;
            /**
             * @description Credentials of the shop that only a notification proves right.
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
        /** @description Of the ISO 4217 code. All tests that are given must pass; there is at least one. */
        CurrencyTest: {
            equals?: string;
            /** @description One of these, none of them twice. */
            in?: string[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: string | string[];
        };
        Customer: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example GB
             */
            country_code?: string;
            /**
             * Format: date
             * @example 1985-12-10
             */
            date_of_birth?: string;
            /**
             * @description Your own id of the customer, no personal data. When a customer of yours has it, that one is meant: the fields that are
             *     given here are written over its own, the others stay. Without it every payment makes a customer.
             * @example user-4711
             */
            reference?: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email?: string;
            /**
             * @description As the payer wrote it: its form is not checked, so that it costs no payment. Control characters are left out.
             * @example +44 20 7946 0958
             */
            phone?: string;
            /** @example Ada */
            first_name?: string;
            /** @example Lovelace */
            last_name?: string;
            /** @example Ada Lovelace */
            full_name?: string;
            /** @example 12 Queen Square */
            address?: string;
            /** @example London */
            city?: string;
            /** @example Greater London */
            region?: string;
            /** @example SW1Y 4JH */
            postal_code?: string;
            /** @example female */
            gender?: string;
            /** @example Analytical Engines Ltd */
            company?: string;
            /** @example GB123456789 */
            vat_number?: string;
        };
        /** @description Of the customer's id. All tests that are given must pass; there is at least one. */
        CustomerIdTest: {
            /** Format: int64 */
            equals?: number;
            /** @description One of these, none of them twice. */
            in?: number[];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: number | number[];
            /** @description Whether the payment must have the field, or must not. */
            exists?: boolean;
        };
        DecisionProbe: {
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /**
             * @description Whether the shop got the turn.
             * @example false
             */
            let_through: boolean;
        };
        DeclineCode: {
            /**
             * @description Whose doing it is: the payer's card or account, the shop and its provider, the issuer's decision, or the shop's
             *     configuration: it is asked for payment methods that its account at the provider does not have.
             * @example payer
             */
            party: components["schemas"]["DeclineParty"];
            /**
             * @description One vocabulary for all providers; what it does not have is the provider's own word.
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
        /** @enum {string} */
        DeclineParty: "payer" | "shop" | "issuer" | "configuration";
        DeliveriesByMinute: {
            /**
             * @description When the first minute begins.
             * @example 2026-11-22T00:03:00.000Z
             */
            from: string;
            /** @description 60 of them, oldest first; the last is the present one. Of the last two seconds some may be missing. */
            minutes: components["schemas"]["MinuteOfDeliveries"][];
        };
        Delivery: {
            /**
             * Format: int64
             * @example 90210
             */
            id: number;
            /**
             * @description The payment's status that it tells of.
             * @example completed
             */
            payment_status: components["schemas"]["PaymentStatus"];
            /** @example delivered */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Why the latest attempt had no answer, such as `timeout` (all codes at the tag webhooks); `null` when it had one. */
            last_error: components["schemas"]["DeliveryError"] | null;
            /**
             * @description The header `webhook-id` of every attempt, the same after a retry: a receiver that has it drops the rest. `whd_` and a UUIDv7, which no other delivery of any database has; a number for one from before there were such ids.
             * @example whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57
             */
            webhook_id: string;
            /**
             * Format: int64
             * @description The shop whose webhook it is.
             * @example 1
             */
            shop_id: number;
            /**
             * Format: int64
             * @example 4711
             */
            payment_id: number;
            /** @example payment.status_changed */
            event: string;
            /**
             * @description As it was given with the payment; without path and query for a token without the scope `webhooks:read`.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string;
            /**
             * Format: int64
             * @description Attempts made so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: int64
             * @deprecated
             * @description The same: the name of before. A single delivery has the list of its attempts by this name.
             * @example 1
             */
            attempts: number;
            /**
             * Format: int64
             * @description The latest answer's status; `null` when there was no answer.
             * @example 200
             */
            last_status_code: number | null;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.460Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` when there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.502Z
             */
            delivered_at: string | null;
        };
        DeliveryAttempt: {
            /** @description Why there was no answer, such as `timeout` (all codes at the tag webhooks); `null` when there was one. */
            error: components["schemas"]["DeliveryError"] | null;
            /**
             * Format: int64
             * @description Counts from 1, on through retries by hand.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.460Z
             */
            started_at: string;
            /**
             * Format: int64
             * @example 42
             */
            duration_ms: number;
            /**
             * Format: int64
             * @example 200
             */
            status_code: number | null;
            /**
             * @description The first 4 KiB of the answer; `null` when there was none.
             * @example ok
             */
            response_body: string | null;
        };
        DeliveryDetail: {
            /**
             * Format: int64
             * @example 90210
             */
            id: number;
            /**
             * @description The payment's status that it tells of.
             * @example completed
             */
            payment_status: components["schemas"]["PaymentStatus"];
            /** @example delivered */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Why the latest attempt had no answer, such as `timeout` (all codes at the tag webhooks); `null` when it had one. */
            last_error: components["schemas"]["DeliveryError"] | null;
            /**
             * @description The header `webhook-id` of every attempt, the same after a retry: a receiver that has it drops the rest. `whd_` and a UUIDv7, which no other delivery of any database has; a number for one from before there were such ids.
             * @example whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57
             */
            webhook_id: string;
            /**
             * Format: int64
             * @description The shop whose webhook it is.
             * @example 1
             */
            shop_id: number;
            /**
             * Format: int64
             * @example 4711
             */
            payment_id: number;
            /** @example payment.status_changed */
            event: string;
            /**
             * @description As it was given with the payment; without path and query for a token without the scope `webhooks:read`.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string;
            /**
             * Format: int64
             * @description Attempts made so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: int64
             * @description The latest answer's status; `null` when there was no answer.
             * @example 200
             */
            last_status_code: number | null;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.460Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` when there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.502Z
             */
            delivered_at: string | null;
            /**
             * @description The exact body of every attempt; empty once the customer was erased.
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
        DeliveryError: "invalid_url" | "https_required" | "forbidden_port" | "forbidden_address" | "dns_failed" | "dns_timeout" | "connect_failed" | "connect_timeout" | "tls_failed" | "tls_invalid" | "timeout" | "connection_reset" | "invalid_response" | "headers_too_large" | "local_failure" | "shutting_down";
        DeliveryPage: {
            /** @description Always `true`. */
            success: boolean;
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
             * @example 49.9
             */
            amount: number;
            /**
             * Format: int64
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T01:02:03.456Z
             */
            created_at: string;
            /** @example EUR */
            currency: string;
            /** @example DE */
            country: string | null;
            /**
             * Format: int64
             * @example 3
             */
            from_shop_id: number;
            /**
             * Format: int64
             * @description `null`: no shop takes it.
             * @example 5
             */
            to_shop_id: number | null;
            /** @description Why the draft decides so; `GET /payments/{id}/decision` tells why it was decided otherwise. */
            explanation: components["schemas"]["Explanation"];
        };
        Endpoint: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description `erring`: a delivery failed twice, or for good, and none has arrived since; `failing`: so for five minutes, of which `GET /events` tells.
             * @example healthy
             */
            status: components["schemas"]["EndpointStatus"];
            /**
             * Format: double
             * @description Of all attempts those answered with 2xx, in percent with two decimals; `null` without attempts.
             * @example 99.2
             */
            success_rate: number | null;
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /**
             * @description Scheme, host and port; all addresses of a shop there are one endpoint.
             * @example https://merchant.example
             */
            origin: string;
            /** @description Since when nothing has arrived; `null` for a healthy one. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description From when on attempts are counted: the present hour and the 23 before.
             * @example 2026-11-21T02:00:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @example 1250
             */
            attempts: number;
            /**
             * Format: int64
             * @description Deliveries that arrived.
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
             * @description Half of the answers came within so many ms, whatever their status; `null` without answers. Right within a tenth.
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @example 180
             */
            answer_ms_p95: number | null;
            /**
             * Format: int64
             * @description Deliveries that wait for an attempt; counted up to 1,000.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Since when the one that should have been sent first has been due; `null` when none is due.
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` when none waits.
             */
            next_attempt_at: string | null;
            /** @description In what ways attempts failed since `since`, latest first, five at most. */
            errors: components["schemas"]["EndpointError"][];
        };
        EndpointDetail: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description `erring`: a delivery failed twice, or for good, and none has arrived since; `failing`: so for five minutes, of which `GET /events` tells.
             * @example healthy
             */
            status: components["schemas"]["EndpointStatus"];
            /**
             * Format: double
             * @description Of all attempts those answered with 2xx, in percent with two decimals; `null` without attempts.
             * @example 99.2
             */
            success_rate: number | null;
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /**
             * @description Scheme, host and port; all addresses of a shop there are one endpoint.
             * @example https://merchant.example
             */
            origin: string;
            /** @description Since when nothing has arrived; `null` for a healthy one. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description From when on attempts are counted: the present hour and the 23 before.
             * @example 2026-11-21T02:00:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @example 1250
             */
            attempts: number;
            /**
             * Format: int64
             * @description Deliveries that arrived.
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
             * @description Half of the answers came within so many ms, whatever their status; `null` without answers. Right within a tenth.
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @example 180
             */
            answer_ms_p95: number | null;
            /**
             * Format: int64
             * @description Deliveries that wait for an attempt; counted up to 1,000.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Since when the one that should have been sent first has been due; `null` when none is due.
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null` when none waits.
             */
            next_attempt_at: string | null;
            /** @description In what ways attempts failed since `since`, latest first, five at most. */
            errors: components["schemas"]["EndpointError"][];
            /** @description Hours in which something was sent, oldest first. */
            hours: components["schemas"]["EndpointHour"][];
        };
        EndpointDetailResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["EndpointDetail"];
        };
        EndpointError: {
            /**
             * @description Why there was no answer, such as `timeout` (all codes at the tag webhooks), or the status of the answer.
             * @example connect_failed
             */
            code: string;
            /**
             * Format: int64
             * @description How many attempts failed so.
             * @example 12
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the latest of them began.
             * @example 2026-11-21T01:02:03.460Z
             */
            last_at: string;
            /**
             * Format: int64
             * @description The delivery that the latest of them was for.
             * @example 90210
             */
            last_delivery_id: number;
        };
        EndpointHour: {
            /** @example 2026-11-21T01:00:00.000Z */
            hour: string;
            /**
             * Format: int64
             * @example 52
             */
            attempts: number;
            /**
             * Format: int64
             * @example 50
             */
            delivered: number;
            /**
             * Format: int64
             * @example 0
             */
            failed: number;
            /**
             * Format: int64
             * @example 42
             */
            answer_ms_p50: number | null;
            /**
             * Format: int64
             * @example 180
             */
            answer_ms_p95: number | null;
        };
        EndpointPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Endpoint"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        EndpointStatus: "healthy" | "erring" | "failing";
        Erasure: {
            /**
             * @description `pending`: webhooks of the customer are still to be delivered, or the last look is still to come; the worker blanks
             *     what is left. Ask again to learn how far it is.
             * @example pending
             */
            status: components["schemas"]["ErasureStatus"];
            /**
             * Format: int64
             * @example 7
             */
            customer_id: number;
            /**
             * Format: date-time
             * @description When it was asked for first.
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
             * @example 0.8912
             */
            estimate: number;
            /**
             * Format: double
             * @example 0.8733
             */
            low: number;
            /**
             * Format: double
             * @example 0.9069
             */
            high: number;
        };
        Event: {
            /**
             * @description The same each time that it is read, and of no other event, wherever that happened.
             * @example evt_7d1f0a3c5e8b4f6d9a2c1e0f3b5d7a9c
             */
            id: string;
            /** @example payment.status_changed */
            type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /**
             * Format: int64
             * @description `null` for what happens to an endpoint.
             * @example 17
             */
            payment_id: number | null;
            /** @description `payment.status_changed`: the body of the webhook that tells of it. `delivery.failed`: `delivery_id`, `event`, `payment_status`, `webhook_endpoint` (scheme, host and port), `attempts`, `last_status_code`, `last_error`. `endpoint.failing`: `webhook_endpoint`, `failing_since`, `last_status_code`, `last_error`. `endpoint.recovered`: `webhook_endpoint`, `failing_since`, `recovered_at`. */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        EventType: "payment.status_changed" | "delivery.failed" | "endpoint.failing" | "endpoint.recovered";
        ExplainedShop: {
            /**
             * @description Each test that a shop must pass; `rule`, in flows with rules: whether the rule that decides names the shop.
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
                unhealthy?: components["schemas"]["TestResult"];
                rule?: components["schemas"]["TestResult"];
            };
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example false */
            picked: boolean;
            /**
             * @description In simulations, for a shop that is not picked: the smallest single change that would have picked it; `null` when no
             *     single change is known to. Which one is smaller goes by kind, then by distance. For a shop that is kept out: it is
             *     switched on, then back to health; then another request (the nearest `amount`, then `currency`, `country`, `metadata`,
             *     `customer_id`); then its conditions, its priority or the rule in the flow. For a shop that may take the payment: its
             *     next turn (`at_counter`) or the least weight, then its settings, then the picked shop switched off, then another request.
             */
            smallest_change?: components["schemas"]["Change"] | null;
        };
        Explanation: {
            /**
             * @description The index of the rule that decides, or `default`; `null`: the flow has no rules, or no shop takes the payment.
             * @example 0
             */
            rule: (number | "default") | null;
            /**
             * @description `null`: no shop takes the payment.
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
            /** @example weighted */
            strategy: components["schemas"]["Strategy"];
            /** @description Every shop of the flow, in order of priority, then id. */
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
             * @description Whether no shop was healthy, so that the pick is the one with the fewest failures.
             * @example false
             */
            least_bad: boolean;
            /** @description A shop on its way back to health whose turn it was; `null`: none. */
            probed: components["schemas"]["ProbedShop"] | null;
        };
        FieldError: {
            /** @example shops[0].weight */
            field: string;
            /** @example must not be less than 1, got 0 */
            message: string;
        };
        /** @enum {string} */
        FinishedDeliveryStatus: "delivered" | "failed";
        Flow: {
            /**
             * Format: int64
             * @example 12
             */
            id: number;
            /** @example checkout */
            name: string;
            /** @example round_robin */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The active version; each change of strategy or shops makes the next.
             * @example 1
             */
            version: number;
            /**
             * Format: int64
             * @description How many payments the flow has routed; `null` for a strategy without a counter.
             * @example 42
             */
            counter: number | null;
            shops: components["schemas"]["FlowMember"][];
            /** @description With the strategy `rules`. */
            rules?: components["schemas"]["Rule"][];
            /** @description With the strategy `rules`. */
            default?: components["schemas"]["RuleUse"];
            /**
             * Format: int64
             * @description How many shops a payment is tried with at most, the first included; 1: no failover.
             * @example 3
             */
            max_attempts: number;
            /** @description What is checked before a version becomes active. */
            assertions: components["schemas"]["Assertion"][];
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        FlowDefinition: {
            /**
             * @description How the flow chooses among the shops that may take a payment. `round_robin`: they take turns. `weighted`: each gets
             *     exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the lowest number; equals take
             *     turns. `sticky`: the same customer goes to the same shop, by weight; payments without a customer as `weighted`.
             *     `success_rate`: by recent approval rates. `rules`: the first of `rules` that matches and has a shop for the payment,
             *     otherwise `default`.
             * @example round_robin
             */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description How many shops a payment is tried with at most, the first included; 1 when it is left out: no failover.
             * @example 3
             */
            max_attempts?: number;
            /** @description 1 to 300 shops, none of them twice. */
            shops: components["schemas"]["FlowShop"][];
            /** @description For the strategy `rules`: at most 100, tried in order. */
            rules?: components["schemas"]["Rule"][];
            /** @description For the strategy `rules`, which requires it: who takes the payments that no rule has a shop for. */
            default?: components["schemas"]["RuleUse"];
            /**
             * @description At most 50; a version that breaks one of them is not activated. They are about the flow alone: whether a shop is
             *     disabled as a whole or unhealthy at the moment does not count.
             */
            assertions?: components["schemas"]["Assertion"][];
        };
        FlowMember: {
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Berlin */
            shop_name: string;
            /**
             * Format: int64
             * @example 1
             */
            priority: number;
            /**
             * Format: int64
             * @example 1
             */
            weight: number;
            /**
             * @description Whether it is enabled in this flow; a shop may be disabled as a whole besides.
             * @example true
             */
            enabled: boolean;
            conditions: components["schemas"]["ShopConditions"];
        };
        FlowPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Flow"][];
            pagination: components["schemas"]["Pagination"];
        };
        FlowResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Flow"];
        };
        FlowShop: {
            /**
             * Format: int64
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
             * @description Whether the shop takes part in this flow at all. Default: `true`.
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
            /** @example true */
            simulation: boolean;
            /** @description With `count`: one pick after the other. */
            picks?: components["schemas"]["SimulatedPick"][];
            /** @description With `count`: every shop of the flow. */
            shares?: components["schemas"]["SimulatedShare"][];
            /** @description When the flow's picks depend on random numbers. */
            draws?: components["schemas"]["SimulatedDraws"];
            /** @description With `explain`. */
            explanation?: components["schemas"]["Explanation"];
        };
        FlowVersion: {
            /**
             * @description `draft`: never active so far; `retired`: was active, and can be activated again.
             * @example draft
             */
            status: components["schemas"]["FlowVersionStatus"];
            /**
             * Format: int64
             * @description 1 for the flow as it was created, each later version one more.
             * @example 2
             */
            version: number;
            /** @description As a new version, a simulation and a replay take it. */
            definition: components["schemas"]["FlowDefinition"];
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was activated last; `null` for a draft.
             * @example 2026-11-21T01:02:03.456Z
             */
            activated_at: string | null;
        };
        FlowVersionPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["FlowVersion"][];
            pagination: components["schemas"]["Pagination"];
        };
        FlowVersionResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["FlowVersion"];
        };
        /** @enum {string} */
        FlowVersionStatus: "draft" | "active" | "retired";
        Jwks: {
            /** @description A token's `kid` names its key. Empty when tokens are signed with a shared secret. */
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
        Liveness: {
            /**
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Of a value in the metadata. Equality is strict: `"1"` is not `1`. All tests that are given must pass; there is at least one. */
        MetadataTest: {
            equals?: components["schemas"]["MetadataValue"];
            /** @description One of these, none of them twice. */
            in?: components["schemas"]["MetadataValue"][];
            /** @description Not this value, or none of these: a value as in `equals`, or an array as in `in`. */
            not?: components["schemas"]["MetadataValue"] | components["schemas"]["MetadataValue"][];
            /** @description Whether the payment must have the field, or must not. */
            exists?: boolean;
        };
        /** @description What a value of the metadata can be compared with. */
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
             * @description Attempts that failed and are followed by another one.
             * @example 3
             */
            retried: number;
            /**
             * Format: int64
             * @description Deliveries that failed for good.
             * @example 0
             */
            failed: number;
        };
        Move: {
            /**
             * Format: int64
             * @example 3
             */
            from_shop_id: number;
            /**
             * Format: int64
             * @description `null`: no shop takes them.
             * @example 5
             */
            to_shop_id: number | null;
            /**
             * Format: int64
             * @example 120
             */
            payments: number;
        };
        NextAction: {
            /**
             * Format: uri
             * @description Where to send the payer.
             * @example https://provider.example/authenticate/4711
             */
            url: string;
            /**
             * @example redirect
             * @enum {string}
             */
            type: "redirect";
            /**
             * @example GET
             * @enum {string}
             */
            method: "GET" | "POST";
        };
        Notification: {
            /**
             * Format: int64
             * @example 815
             */
            id: number;
            /**
             * @description The status that the provider reported.
             * @example completed
             */
            status: components["schemas"]["NotifiedStatus"];
            /**
             * @description `applied`: it did what it says. `waiting`: it is applied as soon as that is legal, within three days. `ignored`: it
             *     contradicts what is known, or is no news. `conflict`: the id came before with other content. `alarm`: look at the
             *     payment at its provider.
             * @example ignored
             */
            outcome: components["schemas"]["NotificationOutcome"];
            /**
             * @description What it waits for, or why it was not applied: `unknown_payment`; `status_unchanged`, the payment had that status
             *     already; `attempt_superseded`, the payment has gone on to another shop; `payment_is_…`, no way leads on from the status
             *     that the payment had; `other_content`; `amount_differs`, another amount or currency than the payment's;
             *     `other_refund`, made by somebody else while ours is under way; `void_failed`, `refund_failed` or `capture_failed`.
             *     `null` when it was applied.
             * @example payment_is_failed
             */
            reason: components["schemas"]["NotificationReason"] | null;
            /** @example sandbox */
            provider: string;
            /**
             * @description The provider's own id, which counts once.
             * @example evt_1
             */
            notification_id: string;
            /**
             * @description `null` when it names our reference alone.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /**
             * @description Our own reference of the attempt, where the provider repeats it.
             * @example 3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11
             */
            reference: string | null;
            /**
             * Format: int64
             * @description `null` while the shop has no payment that it is about.
             * @example 4711
             */
            payment_id: number | null;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.789Z
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When somebody acknowledged the alarm; `null`: nobody has, or it is none.
             */
            acknowledged_at: string | null;
        };
        /** @enum {string} */
        NotificationOutcome: "applied" | "ignored" | "waiting" | "conflict" | "alarm";
        NotificationPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Notification"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        NotificationReason: "void_failed" | "refund_failed" | "capture_failed" | "amount_differs" | "other_refund" | "payment_is_failed" | "payment_is_completed" | "payment_is_processing" | "payment_is_pending" | "payment_is_refunded" | "payment_is_cancelled" | "unknown_payment" | "status_unchanged" | "attempt_superseded" | "other_content";
        NotificationResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Notification"];
        };
        /** @enum {string} */
        NotifiedStatus: "failed" | "completed" | "processing" | "refunded" | "cancelled" | "void_failed" | "refund_failed" | "capture_failed";
        OAuthClient: {
            /**
             * @description What its tokens may carry at most.
             * @example [
             *       "payments:read",
             *       "payments:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description What it names itself with when it asks for a token.
             * @example client_0c8c1d1e6f0a
             */
            client_id: string;
            /** @example checkout */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Since when it gets no tokens, and those it has no longer work; `null`: it is in use.
             */
            revoked_at: string | null;
        };
        OAuthClientPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["OAuthClient"][];
            pagination: components["schemas"]["Pagination"];
        };
        OpenAlarm: {
            /**
             * Format: int64
             * @description Of the notification: `POST /providers/notifications/{id}/acknowledge` ends the alarm.
             * @example 816
             */
            id: number;
            /**
             * @description `amount_differs`: the provider has another amount or currency than the payment. `other_refund`: somebody
             *     else refunded the payment at the provider while our refund was under way. `refund_failed`, `void_failed`: a
             *     refund or void came to nothing after all, or one that the service did not ask for. `capture_failed`: the provider did
             *     not get the money of a payment that it had approved. What to do: docs/operate/runbook.md, ProviderAlarmOpen.
             * @example amount_differs
             */
            reason: components["schemas"]["AlarmReason"];
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /** @example stripe */
            provider: string;
            /**
             * Format: int64
             * @example 4711
             */
            payment_id: number | null;
            /**
             * @description What the provider told, where it told an amount.
             * @example 49.90
             */
            amount: string | null;
            /** @example EUR */
            currency: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T01:02:03.456Z
             */
            received_at: string;
        };
        OpenCounts: {
            /**
             * Format: int64
             * @description Deliveries that wait for an attempt; counted up to 10,000, as all counts here.
             * @example 3
             */
            pending_deliveries: number;
            /**
             * Format: int64
             * @description Deliveries created during the last 24 hours that have failed for good, and were not sent again since.
             * @example 0
             */
            failed_deliveries: number;
            /**
             * Format: date-time
             * @description Since when the delivery that should have been sent first has been due; `null` when none is due.
             */
            oldest_due_delivery_at: string | null;
            /**
             * Format: int64
             * @description Endpoints to which nothing has arrived for five minutes.
             * @example 0
             */
            failing_endpoints: number;
            /**
             * Format: int64
             * @description Charges, voids and refunds of which the provider has not told the outcome yet.
             * @example 1
             */
            open_operations: number;
            /**
             * Format: date-time
             * @example 2026-11-22T01:02:03.456Z
             */
            oldest_operation_at: string | null;
            /**
             * Format: int64
             * @description What providers sent and cannot be applied yet, most of it of unknown payments.
             * @example 0
             */
            waiting_notifications: number;
            /**
             * Format: date-time
             * @description When the one was received that waits longest.
             */
            oldest_notification_at: string | null;
            /**
             * Format: int64
             * @description Notifications that only a person can act on and that nobody has acknowledged.
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
             * @example 17
             */
            id: number;
            /**
             * @description `open`: on record, perhaps under way. `unknown`: called, and not answered. `pending`: the provider tells the outcome later.
             * @example unknown
             */
            state: components["schemas"]["OpenOperationState"];
            /**
             * Format: int64
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /** @example charge */
            kind: components["schemas"]["OperationKind"];
            /**
             * Format: int64
             * @description How often the provider was asked.
             * @example 2
             */
            tries: number;
            /**
             * Format: date-time
             * @example 2026-11-22T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the provider is asked again; `null`: not any more, somebody has to look there.
             */
            next_try_at: string | null;
            /** @description What the provider said last, as far as it is known. */
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
        OperationCause: "cancel_requested" | "refund_requested" | "expired" | "charged_after_end" | "payment";
        /** @enum {string} */
        OperationKind: "charge" | "void" | "refund";
        /** @enum {string} */
        OperationState: "unknown" | "open" | "refused" | "confirmed" | "pending";
        /** @description The provider's notification, when that caused the change. */
        OriginalWebhook: {
            provider: string;
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            processed_at: string;
        };
        OutcomeCounts: {
            /**
             * Format: int64
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @example 12
             */
            declined: number;
            /**
             * Format: int64
             * @description By the shop's own fault, such as a provider that does not answer.
             * @example 1
             */
            failed: number;
        };
        Overview: {
            /**
             * Format: date-time
             * @description As of when; at most two seconds ago.
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
            /** @description To be sent as `cursor` for the next page. */
            next_cursor: string | null;
            has_more: boolean;
        };
        Payment: {
            /**
             * Format: int64
             * @example 4711
             */
            id: number;
            /**
             * Format: double
             * @example 49.9
             */
            amount: number;
            /** @example completed */
            status: components["schemas"]["PaymentStatus"];
            /** @example ps_4711 */
            payment_session_id: string;
            /** @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11 */
            provider_transaction_id?: string;
            /** @example EUR */
            currency: string;
            /** @example DE */
            country?: string;
            /** @example sandbox */
            payment_provider: string;
            /**
             * Format: int64
             * @example 12
             */
            flow_id: number;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:32:03.456Z
             */
            expires_at: string;
            shop: components["schemas"]["ShopReference"];
            /** @description `null` for a payment without a customer. */
            customer: components["schemas"]["Customer"] | null;
            metadata: {
                [key: string]: unknown;
            };
            provider_metadata: {
                [key: string]: unknown;
            };
            /**
             * @description As it was given.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string | null;
            /** @description What the payer has to do before the payment goes on; `null`: nothing. */
            next_action: components["schemas"]["NextAction"] | null;
            /**
             * @description A provider charged the payment when it was over, or had gone to another shop; the charge is given back.
             * @example false
             */
            charged_after_end: boolean;
            /**
             * @description A refund was asked for, and the provider has yet to say what became of it. If it fails, this is `false` again and the
             *     payment is still `completed`: `GET /payments/{id}/operations` tells why.
             * @example false
             */
            refund_pending: boolean;
        };
        PaymentAttempt: {
            /**
             * @description `null`: under way, or the process that made it died; `unknown`: no answer in time.
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
            /** @example sandbox */
            provider: string;
            /**
             * @description What the provider knows the attempt by; `null`: not known.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /**
             * @description Why it was declined; `null`: it was not, or the provider does not say.
             * @example issuer_unavailable
             */
            decline_code: string | null;
            /**
             * Format: date-time
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
            data: components["schemas"]["PaymentAttempt"][];
        };
        PaymentDecision: {
            /**
             * @description Under the strategy `rules`: the index of the rule that decided, or `default`.
             * @example 0
             */
            rule?: number | "default";
            /**
             * @description By shop id, the tests that kept the shop out.
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
             * @description How likely this pick was among the shops that might have taken the payment: by turns, weights and chance; absent: no pick,
             *     or a decision of an older release.
             * @example 0.5
             */
            probability?: number;
            /**
             * @description What the strategy chose by.
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
             * @example 3
             */
            flow_version: number | null;
            /** @example round_robin */
            strategy: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description The customer that it knew; absent: none, or one that came with the payment and had no id yet.
             * @example 7
             */
            customer_id?: number;
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
             * @example 2
             */
            picked: number | null;
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
             * @description The shops on their way back to health that might have been picked; absent: none.
             * @example [
             *       3
             *     ]
             */
            probing?: number[];
            /** @description A shop on its way back whose turn it was, and whether it got it. */
            probed?: components["schemas"]["DecisionProbe"];
        };
        PaymentDecisionResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["PaymentDecision"] | null;
        };
        PaymentMethod: {
            /**
             * @description The payment method's token at the provider. The sandbox takes tok_success, tok_decline, tok_soft_decline, tok_async_success, tok_requires_action and others: docs/start/sandbox.md.
             * @example tok_success
             */
            token: string;
        };
        PaymentOperation: {
            /**
             * Format: int64
             * @example 8151
             */
            id: number;
            /**
             * @description `charge`, or its reversal: `void` before it is taken, `refund` after.
             * @example charge
             */
            kind: components["schemas"]["OperationKind"];
            /**
             * @description Why it was asked for.
             * @example payment
             */
            cause: components["schemas"]["OperationCause"];
            /**
             * @description `open`: on record, perhaps under way. `unknown`: called, and not answered. `pending`: the provider tells the outcome
             *     later. `confirmed`: done. `refused`: certainly not done.
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
             * @example 3
             */
            shop_id: number;
            /** @example sandbox */
            provider: string;
            /** @example 49.9000 */
            amount: string;
            /** @example EUR */
            currency: string;
            /**
             * Format: int64
             * @description Calls made to bring it to its end, look-ups included, besides the first call of a charge.
             * @example 1
             */
            tries: number;
            /**
             * Format: date-time
             * @description When the provider is asked next; `null`: never, it is settled, or open and a person must look.
             */
            next_try_at: string | null;
            /**
             * Format: int64
             * @description Seconds since it was asked for.
             * @example 12
             */
            age: number;
            /**
             * @description What the provider said last, in one word; `no_answer`: nothing that could be read in time.
             * @example approved
             */
            last_answer: string | null;
            /** @description Why it was refused, or what a person must know. */
            reason: string | null;
            /**
             * @description Ours, which the provider was given: find it there by this.
             * @example 3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11
             */
            reference: string;
            /**
             * @description The provider's, of the transaction.
             * @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            provider_transaction_id: string | null;
            /** @description The provider's, of a void or refund. */
            provider_operation_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        PaymentOperationListResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["PaymentOperation"][];
        };
        PaymentPage: {
            /** @description Always `true`. */
            success: boolean;
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
             * @example 3
             */
            shop_id: number;
            /** @example Berlin */
            shop_name: string;
            /**
             * Format: int64
             * @example 1
             */
            priority: number;
            /**
             * Format: int64
             * @example 1
             */
            weight: number;
        };
        PriorityReasoning: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            by: "priority";
            /**
             * Format: int64
             * @description How many payments the flow had routed before.
             */
            counter: number;
            /**
             * Format: int64
             * @description The lowest number; shops that share it take turns.
             */
            priority: number;
            /**
             * Format: int64
             * @description The pick among the shops that take turns, from 0.
             */
            position: number;
            /**
             * Format: int64
             * @description How many shops take turns.
             */
            of: number;
        };
        ProbedShop: {
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /**
             * @description Whether the shop got this turn of its own.
             * @example false
             */
            let_through: boolean;
        };
        /** @description RFC 9457, extended by `success`, `code`, `request_id` and `errors`. `code` is permanent: decide by it. */
        Problem: {
            /**
             * Format: uri
             * @example urn:problem:shop_not_found
             */
            type: string;
            /** @example No such shop */
            title: string;
            /**
             * Format: int64
             * @example 404
             */
            status: number;
            /** @description What was got and what is taken; for a person to read. */
            detail?: string;
            /**
             * @description The path of the request.
             * @example /shops/7
             */
            instance?: string;
            /** @description Always `false`. */
            success: boolean;
            code: components["schemas"]["ProblemCode"];
            /** @description The same as the header `X-Request-Id`; quote it when you ask for help. */
            request_id: string;
            /** @description At most 50. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @enum {string} */
        ProblemCode: "client_closed_request" | "client_not_found" | "csrf_token_invalid" | "customer_erased" | "customer_not_found" | "delivery_erased" | "delivery_in_progress" | "delivery_not_found" | "dependency_unavailable" | "endpoint_not_found" | "flow_assertion_violated" | "flow_assertions_too_complex" | "flow_changed" | "flow_has_open_payments" | "flow_limit_reached" | "flow_name_taken" | "flow_not_found" | "flow_version_not_found" | "headers_too_large" | "idempotency_key_in_flight" | "idempotency_key_reused" | "illegal_status_change" | "insufficient_scope" | "internal_error" | "invalid_credentials" | "invalid_signature" | "malformed_json" | "malformed_request" | "merchant_not_found" | "method_not_allowed" | "no_available_shop" | "no_webhook_key" | "not_an_alarm" | "notification_not_found" | "payload_too_large" | "payment_not_found" | "provider_not_found" | "provider_unconfirmed" | "request_timeout" | "route_not_found" | "shop_disabled" | "shop_limit_reached" | "shop_name_taken" | "shop_not_found" | "too_many_requests" | "unauthorized" | "unsupported_media_type" | "uri_too_long" | "validation_failed";
        Provider: {
            /**
             * @description What `provider` of a shop is.
             * @example stripe
             */
            name: string;
            /** @description What `provider_credentials` of its shops take. */
            credentials: components["schemas"]["ProviderCredential"][];
        };
        ProviderCredential: {
            /**
             * @description `calls`: goes with our calls, so that a check tells whether it works; `notifications`: verifies what the provider sends.
             * @example calls
             */
            used_for: components["schemas"]["CredentialUse"];
            /**
             * @description Its key in `provider_credentials`.
             * @example secret_key
             */
            name: string;
            /**
             * @description What it is.
             * @example a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…
             */
            takes: string;
            /** @example true */
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
            data: components["schemas"]["Provider"][];
        };
        Readiness: {
            /**
             * @description `degraded`: the queue is down and the process works on without it. With the other two it answers 503.
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
        /** @description What the strategy chose by; `by` is its name. */
        Reasoning: components["schemas"]["RoundRobinReasoning"] | components["schemas"]["WeightedReasoning"] | components["schemas"]["PriorityReasoning"] | components["schemas"]["StickyReasoning"] | components["schemas"]["SuccessRateReasoning"];
        Redeliver: {
            /**
             * Format: int64
             * @description Of this shop; absent: of all the merchant's shops.
             * @example 1
             */
            shop_id?: number;
            /**
             * @description Those that ended like this. What is pending is under way already. Default: `"failed"`.
             * @example failed
             */
            status?: components["schemas"]["FinishedDeliveryStatus"];
            /**
             * Format: uri
             * @description Those to exactly this address; absent: to any.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
            /**
             * Format: date-time
             * @description Deliveries created from this moment on.
             * @example 2026-11-21T00:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description And before this moment.
             * @example 2026-11-21T06:00:00Z
             */
            to?: string;
            /**
             * @description Counts them, and does nothing. Default: `false`.
             * @example true
             */
            dry_run?: boolean;
        };
        Redelivered: {
            /**
             * Format: int64
             * @description How many deliveries get a fresh run.
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
            status: components["schemas"]["FinishedDeliveryStatus"];
            /**
             * Format: int64
             * @description `null`: of several shops.
             * @example 1
             */
            shop_id: number | null;
            /**
             * @description `null`: to any address.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint: string | null;
            /** @example 2026-11-21T00:00:00Z */
            from: string | null;
            /** @example 2026-11-21T06:00:00Z */
            to: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T06:30:00.000Z
             */
            requested_at: string;
            /**
             * Format: int64
             * @description How many are back in the queue so far, of the shops that have not been gone through.
             * @example 17
             */
            redelivered: number;
        };
        RedeliveryListResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Redelivery"][];
        };
        RefundPayment: {
            /** @example Customer returned the goods */
            reason?: string;
        };
        Replay: {
            /**
             * Format: date-time
             * @description Deliveries created from this moment on.
             * @example 2026-11-21T00:00:00Z
             */
            from: string;
            /**
             * Format: date-time
             * @description And before this moment.
             * @example 2026-11-21T06:00:00Z
             */
            to: string;
            /**
             * @description Only those that ended like this; both when absent. What is pending is under way already.
             * @example failed
             */
            status?: components["schemas"]["FinishedDeliveryStatus"];
        };
        ReplayCounter: {
            /**
             * Format: int64
             * @description So many kept the counter that their own decision had.
             * @example 990
             */
            recorded: number;
            /**
             * Format: int64
             * @description So many had none, and counted 0, 1, 2 … among themselves, in the order of their creation.
             * @example 10
             */
            from_zero: number;
        };
        ReplayDraws: {
            /**
             * Format: int64
             * @description So many kept the one that their own decision had.
             * @example 990
             */
            recorded: number;
            /**
             * Format: int64
             * @description So many had none, and took the next one of a generator.
             * @example 10
             */
            seeded: number;
            /**
             * Format: int64
             * @description What the generator started from.
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
             * @description Payments created from this moment on; all when it is left out.
             * @example 2026-11-20T00:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description And before this moment.
             * @example 2026-11-21T00:00:00Z
             */
            to?: string;
            /**
             * Format: int64
             * @description At most so many; of more payments, the newest. Default: `100000`.
             * @example 100000
             */
            limit?: number;
            /**
             * Format: int64
             * @description Of the random numbers for payments that had none: the same seed, the same result. Default: `1`.
             * @example 1
             */
            seed?: number;
            /** @description A draft, checked as one that is to be stored. */
            definition?: components["schemas"]["FlowDefinition"];
        };
        ReplayResult: {
            flow: components["schemas"]["ReplayedFlow"];
            /**
             * Format: int64
             * @description How many payments were replayed.
             * @example 1000
             */
            payments: number;
            /**
             * @description The range holds more payments than `limit`; the oldest ones were left out.
             * @example false
             */
            truncated: boolean;
            /**
             * Format: date-time
             * @description Of the payments replayed.
             * @example 2026-11-20T00:00:01.234Z
             */
            first_created_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T23:59:58.765Z
             */
            last_created_at: string | null;
            /** @description Shops of the draft and of the past, by id. */
            shops: components["schemas"]["ReplayedShop"][];
            /**
             * Format: int64
             * @description How many payments go to another shop, or to none.
             * @example 120
             */
            changed: number;
            /**
             * Format: int64
             * @description How many of them to none.
             * @example 0
             */
            without_shop: number;
            /** @description From where to where, most payments first: at most 1000. */
            moves: components["schemas"]["Move"][];
            /** @description The first 20, in the order of creation. */
            differences: components["schemas"]["Difference"][];
            /** @description What the draft would have earned, as far as the past can tell. */
            approval: components["schemas"]["ApprovalEstimate"];
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
             * @example 12
             */
            id: number;
            /** @example checkout */
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
             * @example 3
             */
            shop_id: number;
            /** @example Berlin */
            shop_name: string;
            /** @description What the payments' own decisions picked, whatever shop took them in the end. */
            before: components["schemas"]["Share"];
            /** @description What the draft picks. */
            after: components["schemas"]["Share"];
        };
        RetryDelivery: {
            /**
             * Format: uri
             * @description Where this delivery goes from now on; absent: where it went. Its payment's later webhooks go where they went.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
        };
        RotateWebhookSecret: {
            /**
             * Format: int64
             * @description When the new secret begins to sign. Until then `Signature` is made with the old one, and `webhook-signature` with both. Default: `0`.
             * @example 3600
             */
            activate_in_seconds?: number;
            /**
             * Format: int64
             * @description For how long webhooks carry a signature with the old secret, too, once the new one signs; 0: not at all. Default: `86400`.
             * @example 86400
             */
            overlap_seconds?: number;
            /**
             * @description The new secret, if the merchant has made one: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. A request with it may be repeated.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret?: string;
        };
        RotatedShop: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description What webhooks are signed with: the webhook secret, or a key of the shop's own, too.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /**
             * @description What the shop's webhooks are signed with.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            webhook_secret: string;
            /** @example Main shop */
            name: string;
            /** @example sandbox */
            provider: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            /**
             * @description From when on the new secret signs.
             * @example 2026-11-21T02:02:03.456Z
             */
            webhook_secret_active_from: string;
            /**
             * Format: date-time
             * @description Until when webhooks are signed with the old secret, too; `null`: they no longer are.
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
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            by: "round_robin";
            /**
             * Format: int64
             * @description How many payments the flow had routed before.
             */
            counter: number;
            /**
             * Format: int64
             * @description The pick among the shops that take turns, from 0.
             */
            position: number;
            /**
             * Format: int64
             * @description How many shops take turns.
             */
            of: number;
        };
        /** @enum {string} */
        RoutingTest: "disabled" | "currency" | "country" | "min_amount" | "max_amount" | "unhealthy" | "rule";
        Rule: {
            /** @description What a payment must meet. */
            when: components["schemas"]["Condition"];
            use: components["schemas"]["RuleUse"];
        };
        /** @enum {string} */
        RuleStrategy: "round_robin" | "weighted" | "priority" | "sticky" | "success_rate";
        RuleUse: {
            /**
             * @description Shops of the flow; their weights, priorities and conditions apply as ever.
             * @example [
             *       3,
             *       5
             *     ]
             */
            shops: number[];
            /**
             * @description How it is chosen among them.
             * @example weighted
             */
            strategy: components["schemas"]["RuleStrategy"];
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
             * @description Ours, one for each attempt.
             * @example 0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11
             */
            reference: string;
            /**
             * Format: int64
             * @example 4711
             */
            payment_id: number;
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /**
             * @description Decimal text.
             * @example 49.90
             */
            amount: string;
            /** @example EUR */
            currency: string;
            /**
             * @description Of the charge; `null` for a void that came before any charge, which is declined then.
             * @example 5f0f7c34-7a4b-4b57-9a55-1f5b8d7c2a10
             */
            idempotency_key: string | null;
            /**
             * Format: int64
             * @description How often the charge was called, repeats included.
             * @example 1
             */
            calls: number;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.789Z
             */
            updated_at: string;
        };
        SandboxTransactionPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["SandboxTransaction"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        SandboxTransactionStatus: "open" | "voided" | "declined" | "captured" | "refunded";
        /** @enum {string} */
        Scope: "flows:read" | "flows:write" | "flows:simulate" | "shops:read" | "shops:write" | "payments:read" | "payments:write" | "webhooks:read" | "webhooks:write" | "webhooks:secrets" | "audit:read";
        Share: {
            /**
             * Format: double
             * @description Of all the payments that were replayed.
             * @example 0.6
             */
            share: number;
            /**
             * Format: int64
             * @example 600
             */
            payments: number;
        };
        Shop: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description What webhooks are signed with: the webhook secret, or a key of the shop's own, too.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /** @example Main shop */
            name: string;
            /** @example sandbox */
            provider: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
        };
        ShopApprovals: {
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /** @description 24 of them, oldest first; the last is the present one. */
            hours: components["schemas"]["OutcomeCounts"][];
            /**
             * Format: int64
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @example 12
             */
            declined: number;
            /**
             * Format: int64
             * @description By the shop's own fault, such as a provider that does not answer.
             * @example 1
             */
            failed: number;
        };
        ShopConditions: {
            /**
             * Format: double
             * @description The least amount, itself included.
             * @example 1
             */
            min_amount?: number;
            /**
             * Format: double
             * @description The greatest amount, itself included.
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
             * @description ISO 3166-1 alpha-2 codes; a request without a country does not meet this condition.
             * @example [
             *       "DE",
             *       "FR"
             *     ]
             */
            countries?: string[];
        };
        ShopCredential: {
            /**
             * @description `calls`: goes with our calls, so that a check tells whether it works; `notifications`: verifies what the provider sends.
             * @example calls
             */
            used_for: components["schemas"]["CredentialUse"];
            /**
             * @description Its key in `provider_credentials`.
             * @example secret_key
             */
            name: string;
            /**
             * @description What it is.
             * @example a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…
             */
            takes: string;
            /** @example true */
            required: boolean;
            /**
             * @description Whether it is never shown in full.
             * @example true
             */
            secret: boolean;
            /**
             * @description What the shop has: a secret by its last four characters, or as `…` when it is short; `null`: nothing.
             * @example …mnop
             */
            value: string | null;
        };
        ShopCredentialListResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ShopCredential"][];
        };
        ShopDeclines: {
            /**
             * Format: date-time
             * @description From when on they are counted: 7 days ago, or later for a shop with very many.
             * @example 2026-11-14T01:02:03.456Z
             */
            since: string;
            /** @description Those that count against the shop's configuration (`unknown_token`): the flows that name it, or its credentials. */
            configuration_faults: components["schemas"]["ConfigurationFaults"];
            /** @description The most frequent of them, at most 50. */
            codes: components["schemas"]["DeclineCode"][];
        };
        ShopHealth: {
            /**
             * @description `unhealthy`: too many faults, flows leave it out for a minute; `probing`: it gets a trickle until a payment succeeds.
             * @example healthy
             */
            status: components["schemas"]["ShopHealthStatus"];
            /**
             * Format: date-time
             * @description Since when; `null`: it was never otherwise.
             * @example 2026-11-21T01:02:03.456Z
             */
            since: string | null;
            window: components["schemas"]["ShopOutcomes"];
        };
        ShopHealthRule: {
            /**
             * Format: double
             * @description Of all outcomes of the window.
             * @example 0.5
             */
            fault_share: number;
            /**
             * Format: int64
             * @description How far back faults count, the present minute included.
             * @example 5
             */
            window_minutes: number;
            /**
             * Format: int64
             * @example 10
             */
            min_outcomes: number;
            /**
             * Format: int64
             * @description For so long after a fault that counted it gets no payments; then it is tried with a trickle.
             * @example 60
             */
            cool_down_seconds: number;
        };
        /** @enum {string} */
        ShopHealthStatus: "healthy" | "unhealthy" | "probing";
        ShopHour: {
            /**
             * Format: double
             * @description Approved of all; `null` without any. What strategies that go by approvals decide by.
             * @example 0.92
             */
            approval_rate: number | null;
            /**
             * Format: int64
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @example 9
             */
            declined: number;
            /**
             * Format: int64
             * @description By the fault of the shop or its provider: unavailable, no answer in time, errors of its own.
             * @example 1
             */
            failed: number;
        };
        ShopMinute: {
            /**
             * Format: int64
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @example 9
             */
            declined: number;
            /**
             * Format: int64
             * @description By the fault of the shop or its provider: unavailable, no answer in time, errors of its own.
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
             * @example 118
             */
            approved: number;
            /**
             * Format: int64
             * @example 9
             */
            declined: number;
            /**
             * Format: int64
             * @description By the fault of the shop or its provider: unavailable, no answer in time, errors of its own.
             * @example 1
             */
            failed: number;
        };
        ShopPage: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["Shop"][];
            pagination: components["schemas"]["Pagination"];
        };
        ShopReference: {
            /**
             * Format: int64
             * @example 3
             */
            id: number;
            /** @example Berlin */
            name: string;
        };
        ShopReport: {
            health: components["schemas"]["ShopHealth"];
            /**
             * @description Until when flows leave it out, unless another fault comes; `null` when they do not.
             * @example 2026-11-21T01:03:03.456Z
             */
            unhealthy_until: string | null;
            health_rule: components["schemas"]["ShopHealthRule"];
            /** @description All of `minutes` together. */
            last_hour: components["schemas"]["ShopHour"];
            /** @description Of the last 60 minutes each, the present one last. */
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
        ShopWithHealth: {
            /**
             * Format: int64
             * @example 7
             */
            id: number;
            /**
             * @description What webhooks are signed with: the webhook secret, or a key of the shop's own, too.
             * @example shared_secret
             */
            webhook_signing: components["schemas"]["WebhookSigning"];
            /** @example Main shop */
            name: string;
            /** @example sandbox */
            provider: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T01:02:03.456Z
             */
            updated_at: string;
            health: components["schemas"]["ShopHealth"];
            webhook_rotation: components["schemas"]["WebhookRotation"];
        };
        ShopWithHealthResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["ShopWithHealth"];
        };
        /**
         * @description `null` for a valid one.
         * @enum {string}
         */
        SignatureFault: "changed_body" | "changed_whitespace" | "malformed_header" | "missing_header" | "previous_secret" | "reserialized_body" | "stale_timestamp" | "wrong_encoding" | "wrong_secret";
        SimulateFlow: {
            /**
             * Format: double
             * @description As for a payment: above 0, with at most the currency's decimals. Default: `100`.
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
             * @description Only an input of the decision: it need not exist.
             * @example 7
             */
            customer_id?: number;
            /**
             * Format: int64
             * @description What if: so many payments like this one, one after the other. Answers `picks` and `shares`.
             * @example 10
             */
            count?: number;
            /**
             * @description What if shops were otherwise: by shop id, `enabled` (of the shop itself and in the flow), `weight` and `healthy`.
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
                shops?: {
                    [key: string]: {
                        enabled?: boolean;
                        /** Format: int64 */
                        weight?: number;
                        healthy?: boolean;
                    };
                };
            };
            /**
             * Format: int64
             * @description What if the flow had routed so many payments.
             * @example 41
             */
            at_counter?: number;
            /**
             * Format: int64
             * @description Of the random numbers that `success_rate` draws: the same seed, the same picks. Default: `1`.
             * @example 1
             */
            seed?: number;
            /** @example checkout */
            flow_name: string;
            /**
             * @description Free-form, at most 16 KiB as JSON.
             * @example {
             *       "order_id": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description Answer with `true` or `false` alone: whether there is a shop for the payment. Default: `false`.
             * @example false
             */
            simple?: boolean;
            /** @description What if the flow were this draft; it is checked as one that is to be stored. */
            definition?: components["schemas"]["FlowDefinition"];
            /**
             * @description Answer with `explanation`: why the pick, and for every other shop why not. Default: `false`.
             * @example false
             */
            explain?: boolean;
        };
        SimulatedDraws: {
            /**
             * @example seeded
             * @enum {string}
             */
            source: "seeded";
            /**
             * Format: int64
             * @example 1
             */
            seed: number;
        };
        SimulatedFlow: {
            /**
             * Format: int64
             * @example 12
             */
            id: number;
            /** @example checkout */
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
             * @description `null`: no shop of the flow takes the payment.
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
             * @example 3
             */
            shop_id: number;
            /** @example Berlin */
            shop_name: string;
            /**
             * Format: int64
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
            /** @description `null`: no shop of the flow takes the payment. */
            primary_shop: components["schemas"]["PrimaryShop"] | null;
            /** @example true */
            simulation_mode: boolean;
            /**
             * Format: int64
             * @description How many payments the flow has routed; `null` for a strategy without a counter.
             * @example 42
             */
            current_counter: number | null;
            /**
             * Format: int64
             * @description The counter as the payment would leave it: one more, unless it is routed without counting or no shop takes it.
             * @example 43
             */
            next_counter: number | null;
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
             * @example 2026-11-21T01:02:03.789Z
             */
            at: string;
        };
        StatusChangeListResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["StatusChange"][];
        };
        StickyReasoning: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            by: "sticky";
            /** Format: int64 */
            customer_id: number;
            /**
             * Format: double
             * @description Of customer and shop, between 0 and 1.
             */
            hash: number;
            /**
             * Format: double
             * @description weight / -ln(hash): the best one wins.
             */
            score: number;
            /** @description The second best. */
            runner_up: {
                /** Format: int64 */
                shop_id: number;
                /** Format: double */
                score: number;
            } | null;
        };
        /** @enum {string} */
        Strategy: "round_robin" | "weighted" | "priority" | "sticky" | "rules" | "success_rate";
        SuccessRateReasoning: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            by: "success_rate";
            /**
             * Format: double
             * @description All the chance of the decision, 0 ≤ draw < 1.
             */
            draw: number;
            /**
             * Format: double
             * @description The share of payments that each shop gets, whatever its rate.
             */
            floor: number;
            /** @description Whether the pick is the floor's. */
            explored: boolean;
            /** @description Shop id, approved, declined, failed, and the rate that was drawn for it; best rate first. Shops on their way back that did not get their turn are among them. */
            sampled: number[][];
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
        TokenError: {
            /** @example invalid_client */
            error: components["schemas"]["TokenErrorCode"];
            /**
             * @description For a person to read.
             * @example the client is unknown or revoked, or its secret is wrong
             */
            error_description: string;
        };
        /** @enum {string} */
        TokenErrorCode: "too_many_requests" | "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
        TokenRequest: {
            /**
             * @description The only grant there is.
             * @example client_credentials
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description With `client_secret`; absent when the credentials come by HTTP Basic, and only then. */
            client_id?: string;
            /** @description Absent when the credentials come by HTTP Basic: they are taken in one place alone. */
            client_secret?: string;
            /** @description Space-separated, such as `shops:read flows:write payments:write`; absent: all scopes that the client holds. */
            scope?: string;
        };
        TokenResponse: {
            /**
             * @description A JWT, to be sent as `Authorization: Bearer …`.
             * @example eyJhbGciOiJIUzI1NiIs…
             */
            access_token: string;
            /**
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
             * @description What the token may do, space-separated.
             * @example shops:read shops:write flows:read flows:write payments:read payments:write
             */
            scope: string;
        };
        UpdateFlow: {
            /**
             * @description How the flow chooses among the shops that may take a payment. `round_robin`: they take turns. `weighted`: each gets
             *     exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the lowest number; equals take
             *     turns. `sticky`: the same customer goes to the same shop, by weight; payments without a customer as `weighted`.
             *     `success_rate`: by recent approval rates. `rules`: the first of `rules` that matches and has a shop for the payment,
             *     otherwise `default`.
             * @example round_robin
             */
            strategy?: components["schemas"]["Strategy"];
            /**
             * Format: int64
             * @description How many shops a payment is tried with at most, the first included; 1 when it is left out: no failover.
             * @example 3
             */
            max_attempts?: number;
            /** @description 1 to 300 shops, none of them twice. */
            shops?: components["schemas"]["FlowShop"][];
            /** @description For the strategy `rules`: at most 100, tried in order. */
            rules?: components["schemas"]["Rule"][];
            /** @description For the strategy `rules`, which requires it: who takes the payments that no rule has a shop for. */
            default?: components["schemas"]["RuleUse"];
            /**
             * @description At most 50; a version that breaks one of them is not activated. They are about the flow alone: whether a shop is
             *     disabled as a whole or unhealthy at the moment does not count.
             */
            assertions?: components["schemas"]["Assertion"][];
            /**
             * @description Unique among the merchant's flows.
             * @example checkout
             */
            name?: string;
            /**
             * Format: int64
             * @description The version that the change was begun from: refused (`flow_changed`) when another one is active by now. Left out: builds on whatever is active.
             * @example 1
             */
            based_on_version?: number;
        };
        UpdateShop: {
            /**
             * Format: int64
             * @description For how long notifications are verified with the secrets in `provider_credentials` as they were before, too; 0: not at all, nor with earlier ones. The last five overlap, each for its own time. Default: `86400`.
             * @example 86400
             */
            credentials_overlap_seconds?: number;
            /**
             * @description Unique among the merchant's shops.
             * @example Main shop
             */
            name?: string;
            /**
             * @description A disabled shop takes no new payments.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Merged into the shop's by key; `null` removes one.
             * @example {
             *       "notification_secret": "a-secret-for-notifications"
             *     }
             */
            provider_credentials?: {
                [key: string]: unknown;
            };
            /**
             * @description What webhooks are signed with. `public_key`: `webhook-signature` also carries `v1a`, an ed25519 signature that receivers verify with the shop's public keys (`GET /shops/{id}/jwks.json`); `Signature` and `v1` stay. `shared_secret`: those alone.
             * @example public_key
             */
            webhook_signing?: components["schemas"]["WebhookSigning"];
        };
        WaitingNotification: {
            /**
             * Format: int64
             * @example 815
             */
            id: number;
            /**
             * Format: int64
             * @example 3
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /** @example sandbox */
            provider: string;
            /** @example evt_1 */
            notification_id: string;
            /** @example sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11 */
            provider_transaction_id: string | null;
            /**
             * Format: int64
             * @description `null` while the shop has no payment that it is about.
             */
            payment_id: number | null;
            /**
             * @description What it waits for.
             * @example unknown_payment
             */
            reason: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T01:02:03.456Z
             */
            received_at: string;
        };
        /** @description Of the fields that are not required, those that are known. */
        WebhookCustomer: {
            /** Format: int64 */
            id: number;
            email: string | null;
            phone?: string;
            first_name: string | null;
            last_name: string | null;
            full_name?: string;
            address?: string;
            city?: string;
            region?: string;
            postal_code?: string;
            country_code?: string;
            /** Format: date */
            date_of_birth?: string;
            gender?: string;
            company?: string;
            vat_number?: string;
        };
        WebhookEvent: {
            /** @constant */
            event: "payment.status_changed";
            /** @description Always `true`. Only on a sample that was asked for: no payment is behind it. */
            test?: boolean;
            /**
             * Format: date-time
             * @description When the status changed.
             */
            timestamp: string;
            payment: components["schemas"]["WebhookPayment"];
            /** @description `null` for a payment without one. */
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
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
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
            /** @enum {string} */
            alg: "EdDSA";
            /** @enum {string} */
            use: "sig";
        };
        WebhookKeyRotation: {
            /**
             * Format: int64
             * @description For how long webhooks carry a signature with the old key, too; 0: not at all. Default: `86400`.
             * @example 86400
             */
            overlap_seconds?: number;
        };
        WebhookKeySet: {
            keys: components["schemas"]["WebhookKey"][];
        };
        WebhookKeySetResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["WebhookKeySet"];
        };
        /** @description The payment after the change. All its changes have the same `id`: to drop what has arrived before, go by the header `webhook-id`; to keep the newest, by `timestamp`. */
        WebhookPayment: {
            /** Format: int64 */
            id: number;
            payment_session_id: string;
            provider_transaction_id: string | null;
            /** Format: int64 */
            amount: number;
            currency: string;
            status: components["schemas"]["PaymentStatus"];
            country: string | null;
            payment_provider: string;
            /** Format: int64 */
            flow_id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        WebhookRotation: {
            /**
             * @description When the latest webhook secret begins to sign; until then the one before does. `null`: it signs.
             * @example 2026-11-21T02:02:03.456Z
             */
            secret_active_from: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before signs, too; `null`: it does not.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description Until when the key of ed25519 before signs, too; `null`: it does not.
             * @example 2026-11-22T01:02:03.456Z
             */
            previous_key_expires_at: string | null;
        };
        /** @enum {string} */
        WebhookSigning: "shared_secret" | "public_key";
        WebhookStats: {
            /**
             * Format: double
             * @description Two decimals; 0 without payments.
             * @example 94.96
             */
            webhook_coverage_percentage: number;
            /**
             * Format: int64
             * @example 5
             */
            shop_id: number;
            /** @example Main shop */
            shop_name: string;
            /**
             * Format: int64
             * @example 1250
             */
            total_payments: number;
            /**
             * Format: int64
             * @example 1187
             */
            payments_with_webhooks: number;
            /** @description The latest 20 deliveries, newest first. */
            recent_webhooks: components["schemas"]["Delivery"][];
            /**
             * @description What `Signature` is keyed with; `null` for a token without the scope `webhooks:secrets`.
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
            /** @description Why there was no answer, such as `timeout`, `connect_failed` or `forbidden_address`, all of them at the tag webhooks; `null` when there was one. */
            error: components["schemas"]["DeliveryError"] | null;
            /**
             * @description The exact body that was sent.
             * @example {"event":"payment.status_changed"}
             */
            request_body: string;
            /** @description Whether the receiver answered 2xx in time. */
            delivered: boolean;
            /**
             * Format: int64
             * @description The receiver's answer; `null` when there was none.
             * @example 200
             */
            status_code: number | null;
            /**
             * Format: int64
             * @example 42
             */
            duration_ms: number;
            /**
             * @description The `Signature` header that was sent.
             * @example 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843
             */
            signature: string;
            /**
             * @description The first 4 KiB of the answer; `null` when there was none.
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
             * @description The shop that sent it.
             * @example 1
             */
            shop_id: number;
            /**
             * Format: uri
             * @description Where it was sent to, when several addresses get the payment's webhooks.
             * @example https://merchant.example/webhooks
             */
            webhook_endpoint?: string;
            /**
             * @description The body as the receiver saw it.
             * @example {event:payment.status_changed}
             */
            body: string;
            /**
             * @description The headers as the receiver saw them; names in any case, others than the webhook's are ignored.
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
             * @description `null` for a valid one.
             * @example reserialized_body
             */
            reason: components["schemas"]["SignatureFault"] | null;
            /**
             * @description Whether a receiver should take it.
             * @example false
             */
            valid: boolean;
            /** @example The body was parsed and written again. Verify the bytes as received, before a JSON parser has touched them. */
            advice: string | null;
        };
        WebhookVerificationResponse: {
            /** @description Always `true`. */
            success: boolean;
            data: components["schemas"]["WebhookVerification"];
        };
        WeightedReasoning: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            by: "weighted";
            /**
             * Format: int64
             * @description How many payments the flow had routed before.
             */
            counter: number;
            /**
             * Format: int64
             * @description Of a cycle in which each shop has its weight in turns.
             */
            cycle_position: number;
            /**
             * Format: int64
             * @description The sum of the weights.
             */
            cycle_length: number;
        };
    };
    responses: {
        /** @description The request path is too long (`uri_too_long`) */
        uri_too_long: {
            headers: {
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
        /** @description The request body is too large (`payload_too_large`) */
        payload_too_large: {
            headers: {
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
        /** @description The request path, query or headers are malformed (`malformed_request`); The request body is not valid JSON (`malformed_json`) */
        malformed_request_or_malformed_json: {
            headers: {
                /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
        /** @description What the request lacks (RFC 6750): a token, a valid one, or the scopes that are named. */
        WWWAuthenticate: string;
        /** @description The limit of this client: how many requests, and in how many seconds they are all there again. */
        RateLimitPolicy: string;
        /** @description How many requests the client may send at once. Like its kin on answers to a valid token only. */
        RateLimitLimit: number;
        /** @description How many of them are left. */
        RateLimitRemaining: number;
        /** @description Seconds until all of them are there again. */
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
             * The status of a payment changed
             * @description Sent to the `webhook_endpoint` of the payment, once for each change of status, and again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body, in constant time; answer 2xx within 3 seconds and work afterwards; expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` postpone the next one. Redirects are not followed.
             */
            post: operations["payment_status_changed"];
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The database is down, or the process shuts down */
            503: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
            /** @description `METRICS_TOKEN` is set, and the request lacks it */
            401: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Audit_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description What was done from this moment on. Such as `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description And before this moment. Such as `2026-11-22T00:00:00Z`. */
                to?: string;
                /** @description Such as `shop.webhook_secret_rotated`. */
                action?: "alarm.acknowledged" | "charge.given_back" | "client.created" | "client.revoked" | "client.secret_rotated" | "customer.erased" | "deliveries.redelivered" | "deliveries.replayed" | "delivery.retried" | "flow.created" | "flow.deleted" | "flow.updated" | "flow.version_activated" | "flow.version_drafted" | "shop.created" | "shop.credentials_checked" | "shop.updated" | "shop.webhook_key_rotated" | "shop.webhook_secret_rotated" | "webhook.conformance_run" | "webhook.tested";
                /** @description Such as `shop`. */
                object_type?: "client" | "customer" | "delivery" | "flow" | "merchant" | "notification" | "shop";
                /** @description Such as `3`. */
                object_id?: string;
                /** @description Such as `client`. */
                actor?: "cli" | "client" | "system";
                /** @description Such as `client_0c8c1d1e6f0a`. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["dependency_unavailable"];
        };
    };
    Events_list: {
        parameters: {
            query?: {
                /** @description Without `after`: begin with the latest so many; 0: with what comes from now on. Such as `10`. */
                last?: number;
                /** @description Of this shop alone. Such as `3`. */
                shop_id?: number;
                /** @description Events of a page; a stream has no such end. Such as `20`. */
                limit?: number;
                /** @description Behind which event to begin: `pagination.next_cursor` of a page, or the `id` of a streamed event. */
                after?: string;
                /** @description Of these types alone, after commas. Such as `payment.status_changed,delivery.failed`. */
                types?: string;
            };
            header?: {
                /** @description The `id` of the last event that was received. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; or a stream, where the request accepts `text/event-stream` */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description Only objects whose name contains this text; upper and lower case count as the same. Such as `checkout`. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The merchant already has a flow of that name (`flow_name_taken`); The merchant has as many flows as it may have (`flow_limit_reached`); The flow breaks one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description Another version of the flow is active by now (`flow_changed`); The merchant already has a flow of that name (`flow_name_taken`); The flow breaks one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    FlowVersions_activate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description Another version of the flow is active by now (`flow_changed`); The flow breaks one of its own assertions (`flow_assertion_violated`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    FlowReplay_replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                flow_id?: number;
                shop_id?: number;
                /** @description Such as `7`. */
                customer_id?: number;
                /** @description Payments created from this moment on. Such as `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description And before this moment. Such as `2026-11-21T06:00:00Z`. */
                to?: string;
                status?: "cancelled" | "completed" | "failed" | "pending" | "processing" | "refunded";
                /** @description Finds a payment whose answer was lost. Such as `ps_4711`. */
                payment_session_id?: string;
                /**
                 * @description What a provider knows the payment by, or knew an earlier attempt by that went on to another shop. Unique within a shop, not
                 *     among shops. Such as `sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11`.
                 */
                provider_transaction_id?: string;
                /** @description Your own id of the customer. Such as `user-4711`. */
                customer_reference?: string;
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description Up to 255 characters, kept for 24 h: a repeat gets the first answer, with the header Idempotent-Replayed: true. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true`: the answer of an earlier request with the same key. */
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
            /** @description No such flow (`flow_not_found`); No such customer (`customer_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The customer was erased (`customer_erased`); No shop of the flow takes this payment (`no_available_shop`); A request with this idempotency key is still in flight (`idempotency_key_in_flight`): send the same request with the same key again after `Retry-After` seconds, until the answer is another one. A key is held for as long as its request works, and when that died for 20 seconds (10 more than `PROVIDER_TIMEOUT_MS`) after its latest call of a provider: go on for a minute, then ask `GET /payments?payment_session_id=` */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Payments_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success; `null` when none was stored with the payment */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The payment cannot change to that status (`illegal_status_change`); The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Payments_refund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundPayment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The payment cannot change to that status (`illegal_status_change`); The provider did not confirm the change (`provider_unconfirmed`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Customers_erase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Notifications_list: {
        parameters: {
            query: {
                /** @description Items per page. */
                limit?: number;
                /** @description The shop that they were sent for. */
                shop_id: number;
                /** @description Only those about this payment. Such as `4711`. */
                payment_id?: number;
                /** @description Only those that came to this. Such as `ignored`. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The notification is no alarm (`not_an_alarm`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                provider: string;
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Returns_receive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On to the payment's `return_url` */
            303: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
                    "X-Request-Id"?: string;
                    location: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            /** @description No such payment (`payment_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    ShopReports_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description Only those of this payment. Such as `4711`. */
                payment_id?: number;
                /** @description Only those of this shop. Such as `3`. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Shops_list: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
                /** @description Only objects whose name contains this text; upper and lower case count as the same. Such as `checkout`. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The merchant already has a shop of that name (`shop_name_taken`); The merchant has as many shops as it may have (`shop_limit_reached`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The merchant already has a shop of that name (`shop_name_taken`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    WebhookKeys_published: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookKeyRotation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The shop signs with its secret alone (`no_webhook_key`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    ShopWebhooks_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                shopId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description Such as `4711`. */
                payment_id?: number;
                /** @description Such as `failed`. */
                status?: "delivered" | "failed" | "pending";
                /** @description `pagination.next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                shopId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description Such as `4711`. */
                payment_id?: number;
                /** @description Of this shop; absent: of all the merchant's shops. Such as `1`. */
                shop_id?: number;
                /** @description Those to exactly this address; absent: to any. Such as `https://merchant.example/webhooks`. */
                webhook_endpoint?: string;
                /** @description Deliveries created from this moment on. Such as `2026-11-21T00:00:00Z`. */
                from?: string;
                /** @description And before this moment. Such as `2026-11-21T06:00:00Z`. */
                to?: string;
                /** @description Such as `failed`. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryDelivery"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description An attempt of the delivery is under way (`delivery_in_progress`); The delivery has no body any more: its customer was erased (`delivery_erased`) */
            409: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description The count, with `dry_run` */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                shopId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConformanceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                "application/json": components["schemas"]["WebhookToVerify"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
            /** @description No such shop (`shop_not_found`) */
            404: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                /** @description Such as `3`. */
                shop_id?: number;
                /** @description Such as `failing`. */
                status?: "erring" | "failing" | "healthy";
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    Endpoints_find: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
                    /** @description The id of this request: yours when you sent one of up to 128 plain characters. */
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
    payment_status_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop. */
                Signature: string;
                /** @description The id of the delivery, the same on every attempt and after a retry, and of no other delivery anywhere: drop what has one that was seen (Standard Webhooks). */
                "webhook-id": string;
                /** @description The id of the shop. Pick the secret by it, verify, and only then trust the body. */
                "webhook-shop-id": string;
                /** @description When this attempt was sent, in Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several of them, separated by a space, while secrets are rotated; then `v1a,` and the base64 ed25519 signature of the same, when the shop signs with `public_key` (Standard Webhooks). */
                "webhook-signature": string;
                /** @description `true` on a delivery that was asked for to test the address. */
                "Webhook-Test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "payment.status_changed",
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
                 *         "expires_at": "2026-11-21T01:31:03.456Z"
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
            /** @description The address is gone: this delivery has failed */
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
            /** @description Anything else, or no answer in time, is a failed attempt */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
