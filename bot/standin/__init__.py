"""A local Slack for the demo and the tests: an independent emulator behind our own thin front door.

    with SlackWorld() as world:                       # a team with alice, bob, gina (a guest), 陈伟, ...
        start_the_app(api=world.api_url, app=world.workspace.app)
        world.connect("http://127.0.0.1:3000/slack/events")
        ts = world.ask("alice", "eng", "How many days of leave do I have?")
        reply = world.wait_for_reply("eng", ts)
        world.click("alice", ("eng", reply["ts"]), "feedback", "negative")
        assert world.violations == []                 # nothing that the real Slack would refuse

What can be done is in `acts`, what can be seen in `observe`, who is there in `people` and `workspace`.
"""
